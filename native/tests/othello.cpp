// Othello against flips walked square by square, on positions from games and arbitrary ones.
#include "othello/uct.hpp"

#include <climits>
#include <set>

#include "tests/check.hpp"
#include "tests/rules.hpp"

namespace honte::othello {
namespace {

/// The discs that flip, by walking in eight directions on a board of this size.
uint64_t walked_flips(uint64_t own, uint64_t other, int square, int size) {
    uint64_t turned = 0;
    for (int down = -1; down <= 1; ++down)
        for (int right = -1; right <= 1; ++right) {
            uint64_t line = 0;
            int row = square / 8 + down, col = square % 8 + right;
            for (; down || right; row += down, col += right) {
                if (row < 0 || row >= size || col < 0 || col >= size) break;
                const uint64_t bit = 1ULL << (8 * row + col);
                if (own & bit) turned |= line;
                if (!(other & bit)) break;
                line |= bit;
            }
        }
    return turned;
}

uint64_t walked_moves(uint64_t own, uint64_t other, int size) {
    uint64_t moves = 0;
    for (int row = 0; row < size; ++row)
        for (int col = 0; col < size; ++col) {
            const uint64_t bit = 1ULL << (8 * row + col);
            if (!((own | other) & bit) && walked_flips(own, other, 8 * row + col, size))
                moves |= bit;
        }
    return moves;
}

std::string draw(uint64_t own, uint64_t other, int size) {
    std::string text = "X is the side to move";
    for (int row = 0; row < size; ++row) {
        text += '\n';
        for (int col = 0; col < size; ++col) {
            const uint64_t bit = 1ULL << (8 * row + col);
            text += own & bit ? 'X' : other & bit ? 'O' : '-';
        }
    }
    return text;
}

void check_bits(uint64_t own, uint64_t other, const Rules& rules) {
    const check::Scene scene([&] { return draw(own, other, rules.size()); });
    const Board board{own, other};
    const uint64_t empties = rules.board() & ~(own | other);
    const uint64_t moves = walked_moves(own, other, rules.size());
    CHECK((bits::reach(own, other) & empties) == moves);
    CHECK(board.moves(rules.board()) == moves);
    CHECK(board.other_moves(rules.board()) == walked_moves(other, own, rules.size()));
    for (uint64_t rest = empties; rest; rest &= rest - 1) {
        const int square = std::countr_zero(rest);
        CHECK(bits::flips(own, other, square) == walked_flips(own, other, square, rules.size()));
    }
}

void check_state(const State& state) {
    const Rules& rules = state.rules();
    const auto [own, other] = state.board();
    check_bits(own, other, rules);
    const uint64_t moves = walked_moves(own, other, rules.size());
    const bool over = !moves && !walked_moves(other, own, rules.size());
    CHECK(state.moves_mask() == moves);
    CHECK(state.is_over() == over);
    for (Move move = -2; move < 70; ++move) {
        const bool on_board = move >= 0 && move < 64;
        const bool legal = move == kPass ? !moves && !over : on_board && (moves >> move & 1);
        CHECK(state.is_legal(move) == legal);
    }
    const auto listed = state.legal_moves();
    int count = 0;
    for (uint64_t rest = moves; rest; rest &= rest - 1, ++count)
        if (CHECK(count < listed.size())) CHECK(listed[count] == std::countr_zero(rest));
    if (!moves && !over && CHECK(listed.size() == 1)) CHECK(listed[count++] == kPass);
    CHECK(listed.size() == count);

    const uint64_t black = state.discs(0), white = state.discs(1);
    CHECK(state.to_move() ? black == other && white == own : black == own && white == other);
    const int difference = std::popcount(black) - std::popcount(white);
    const int sign = (difference > 0) - (difference < 0);
    const int empties = rules.size() * rules.size() - std::popcount(black | white);
    CHECK(state.outcome() == sign);
    CHECK(state.score() == difference + (over ? sign * empties : 0));
    CHECK(state.hash() == state.recomputed_hash());
    const State again(rules, state.board(), state.to_move());
    CHECK(again == state && again.hash() == state.hash());
    CHECK(again.moves_mask() == moves && again.is_over() == over);
}

template <PerftStyle Style>
uint64_t leaves(int depth) {
    const Rules rules(8);
    return perft<Style>(State(rules).board(), rules.board(), depth);
}
constexpr PerftStyle kPassIsAPly{true, true}, kPassIsAPlyMade{true, false};
constexpr PerftStyle kPassIsFree{false, true}, kPassIsFreeMade{false, false};

TEST(othello, perft_gives_the_known_counts) {
    check::check_counts(0, {1, 4, 12, 56, 244, 1396, 8200, 55092, 390216, 3005288},
                        leaves<kPassIsAPly>);
    check::check_counts(0, {1, 4, 12, 56, 244, 1396, 8200, 55092, 390216, 3005320},
                        leaves<kPassIsFree>);
    // Passes first appear at the ninth ply, so this depth is where the styles part.
    check::check_counts(9, {3005288}, leaves<kPassIsAPlyMade>);
    check::check_counts(9, {3005320}, leaves<kPassIsFreeMade>);
}

TEST(long, othello_perft_gives_the_known_counts) {
    check::check_counts(10, {24571284, 212258800, 1939886636}, leaves<kPassIsAPly>);
    check::check_counts(10, {24571420, 212260880, 1939899208}, leaves<kPassIsFree>);
}

TEST(othello, random_games_agree_with_flips_walked_square_by_square) {
    Rng rng = check::rng_for(20);
    for (check::Budget budget; budget.is_left();)
        for (const int size : {4, 6, 8}) {
            const Rules rules(size);
            State state(rules);
            CHECK(std::popcount(state.discs(0)) == 2 && std::popcount(state.discs(1)) == 2);
            check_state(state);
            while (!state.is_over() && budget.spend()) {
                const auto moves = state.legal_moves();
                const Move move = moves[static_cast<int>(rng.below(moves.size()))];
                const auto [own, other] = state.board();
                state.play_unchecked(move);
                CHECK(state.last_move() == move);
                if (move == kPass) {
                    CHECK((state.board() == Board{other, own}));
                } else {
                    const uint64_t turned = walked_flips(own, other, move, size);
                    CHECK((state.board() == Board{other ^ turned, own ^ turned ^ 1ULL << move}));
                }
                check_state(state);
            }
        }
}

TEST(othello, any_discs_at_all_agree_with_flips_walked_square_by_square) {
    Rng rng = check::rng_for(21);
    for (check::Budget budget; budget.spend();) {
        const Rules rules(4 + 2 * static_cast<int>(rng.below(3)));
        uint64_t discs = rng.next(), own = rng.next();
        for (uint32_t i = rng.below(4); i; --i) discs |= rng.next();  // up to nearly full
        for (uint32_t i = rng.below(4); i; --i) own &= rng.next();    // up to few against many
        discs &= rules.board();
        check_bits(discs & own, discs & ~own, rules);
        check_bits(discs & ~own, discs & own, rules);
        check_state(State(rules, {discs & own, discs & ~own}, static_cast<int>(rng.below(2))));
    }
}

void add_outcomes(const State& state, std::set<int>& outcomes) {
    if (state.is_over()) outcomes.insert(state.outcome());
    for (const Move move : state.legal_moves()) {
        State next = state;
        next.play_unchecked(move);
        add_outcomes(next, outcomes);
    }
}

TEST(othello, playouts_end_as_the_position_can_end) {
    Rng rng = check::rng_for(22);
    for (check::Budget budget; budget.is_left();)
        for (const int size : {4, 6, 8}) {
            const Rules rules(size);
            State state(rules);
            while (!state.is_over() && budget.spend()) {
                const int open = std::popcount(rules.board() & ~(state.discs(0) | state.discs(1)));
                const check::Scene scene(
                    [&] { return draw(state.board().own, state.board().other, size); });
                if (open <= 5) {
                    std::set<int> possible, seen;
                    add_outcomes(state, possible);
                    for (int i = 0; i < 300; ++i) seen.insert(search::random_playout(state, rng));
                    for (const int outcome : seen) CHECK(possible.contains(outcome));
                    if (open <= 3) CHECK(seen == possible);  // 3! orders: 300 games miss none
                } else {
                    const int outcome = search::random_playout(state, rng);
                    CHECK(outcome >= -1 && outcome <= 1);
                }
                const auto moves = state.legal_moves();
                state.play_unchecked(moves[static_cast<int>(rng.below(moves.size()))]);
            }
            CHECK(search::random_playout(state, rng) == state.outcome() || !state.is_over());
        }
}

TEST(othello, playouts_win_as_often_as_random_games_move_by_move) {
    const Rules rules(6);
    constexpr int kGames = 5000;
    Rng rng(23);
    int by_playout[3] = {}, by_moves[3] = {};
    for (int i = 0; i < kGames; ++i) {
        State state(rules);
        ++by_playout[search::random_playout(state, rng) + 1];
        while (!state.is_over()) {
            const auto moves = state.legal_moves();
            state.play_unchecked(moves[static_cast<int>(rng.below(moves.size()))]);
        }
        ++by_moves[state.outcome() + 1];
    }
    for (int i = 0; i < 3; ++i) {
        const double difference = by_playout[i] - by_moves[i];
        CHECK(difference * difference <= 16.0 * (by_playout[i] + by_moves[i]));  // 4 sigma
        CHECK(by_playout[i] > 0);
    }
}

TEST(othello, a_playout_is_a_legal_game_that_ends_as_it_says) {
    for (const int size : {4, 6, 8}) {
        const Rules rules(size);
        check::check_playouts_are_games(State(rules), 2, kPass, INT_MAX, 25);
        check::check_shared_playouts(State(rules));
    }
}

TEST(othello, states_are_values) {
    for (const int size : {4, 6, 8}) {
        const Rules rules(size);
        check::check_values(State(rules), 26);
        check::check_batch(State(rules), 26);
    }
}

TEST(othello, positions_that_differ_in_a_corner_or_the_side_have_other_hashes) {
    const Rules rules(8);
    const Board board{0x0000000810000000ULL, 0x0000001008000000ULL};
    std::set<uint64_t> hashes;
    int positions = 0;
    for (const uint64_t corner : {0ULL, 1ULL, 1ULL << 7, 1ULL << 56, 1ULL << 63})
        for (const int to_move : {0, 1}) {
            hashes.insert(State(rules, {board.own | corner, board.other}, to_move).hash());
            hashes.insert(State(rules, {board.own, board.other | corner}, to_move).hash());
            positions += corner ? 2 : 1;
        }
    CHECK(static_cast<int>(hashes.size()) == positions);
}

TEST(othello, select_finds_every_set_bit) {
    Rng rng = check::rng_for(24);
    for (check::Budget budget; budget.spend(10);) {
        const uint64_t mask = rng.next() & rng.next();
        unsigned k = 0;
        for (uint64_t rest = mask; rest; rest &= rest - 1)
            CHECK(bits::select(mask, k++) == std::countr_zero(rest));
    }
}

TEST(othello, boards_that_cannot_be_are_refused) {
    const auto refused = [](int size) {
        return check::throws<std::invalid_argument>([&] { Rules rules(size); });
    };
    for (const int size : {-8, 0, 2, 5, 7, 10, 64}) CHECK(refused(size));
    for (const int size : {4, 6, 8}) CHECK(!refused(size));
    const Rules rules(6);
    const auto setup = [&](Board board) {
        return check::throws<std::invalid_argument>([&] { State(rules, board, 0); });
    };
    CHECK(!setup({1, 2}));
    CHECK(setup({1, 3}));           // two discs on a1
    CHECK(setup({1ULL << 6, 1}));   // g1 is off this board
    CHECK(setup({1, 1ULL << 48}));  // and so is a7
}

}  // namespace
}  // namespace honte::othello
