// Go against a naive implementation: groups, liberties, captures, ko, area, playouts.
#include "go/uct.hpp"

#include <climits>
#include <cstdlib>
#include <map>
#include <set>

#include "tests/check.hpp"
#include "tests/go_naive.hpp"
#include "tests/rules.hpp"

namespace honte::go {
namespace {

using naive::Cells;

constexpr Ko kKoRules[] = {Ko::kSimple, Ko::kPositional, Ko::kSituational};

int point(int size, int i) { return (i / size + 1) * kStride + i % size + 1; }

Cells cells_of(const Board& board) {
    const int size = board.size();
    Cells cells(static_cast<size_t>(size * size));
    for (int i = 0; i < size * size; ++i) cells[i] = board.color(point(size, i));
    return cells;
}

/// A board from a picture, rows from the top separated by '/'.
Cells cells_of(const std::string& picture) {
    Cells cells;
    for (const char c : picture)
        if (c != '/') cells.push_back(c == 'X' ? kBlack : c == 'O' ? kWhite : kEmpty);
    return cells;
}

uint64_t hash_of(const Cells& cells, int size) {
    uint64_t hash = 0;
    for (int i = 0; i < size * size; ++i)
        if (cells[i] != kEmpty) hash ^= key(point(size, i), static_cast<Color>(cells[i]));
    return hash;
}

/// Recompute all that the board maintains: stones, groups, pseudo-liberties, neighbours.
void check_board(const Board& board, const Cells& cells) {
    const int size = board.size();
    int stones[3] = {};
    bool listed[kPoints] = {}, counted[kMaxSize * kMaxSize] = {};
    for (int i = 0; i < board.empties(); ++i) listed[board.empty_at(i)] = true;
    for (int i = 0; i < size * size; ++i) {
        const int p = point(size, i);
        ++stones[cells[i]];
        int near[3] = {};
        const auto neighbours = naive::neighbours(size, i);
        for (const int n : neighbours) ++near[cells[n]];
        const int border = 4 - neighbours.count;
        CHECK(board.color(p) == cells[i]);
        CHECK(board.has_empty_neighbour(p) == (near[kEmpty] > 0));
        CHECK(board.is_enclosed(p, kBlack) == (near[kBlack] + border == 4));
        CHECK(board.is_enclosed(p, kWhite) == (near[kWhite] + border == 4));
        CHECK(listed[p] == (cells[i] == kEmpty));
        if (cells[i] == kEmpty) CHECK(board.group(p) == 0);
        if (cells[i] == kEmpty || counted[i]) continue;

        const naive::Region group = naive::region(cells, size, i);
        bool in_group[kPoints] = {};
        for (const int stone : group.cells) {
            counted[stone] = in_group[point(size, stone)] = true;
            CHECK(board.group(point(size, stone)) == board.group(p));
        }
        CHECK(board.pseudo_liberties(p) == group.pseudo_liberties);
        CHECK(in_group[board.group(p)]);  // so two groups never share a name
        size_t ring = 0;
        board.each_stone(p, [&](int stone) {
            CHECK(in_group[stone]);
            in_group[stone] = false;  // no stone comes twice
            ++ring;
        });
        CHECK(ring == group.cells.size());
    }
    CHECK(board.stones(kBlack) == stones[kBlack] && board.stones(kWhite) == stones[kWhite]);
    CHECK(board.empties() == stones[kEmpty]);
    CHECK(board.hash() == hash_of(cells, size));
    for (int i = 0; i < size; ++i) {
        CHECK(board.color(point(size, i) - kStride) == kBorder);
        CHECK(board.color(point(size, (size - 1) * size + i) + kStride) == kBorder);
        CHECK(board.color(point(size, i * size) - 1) == kBorder);
        CHECK(board.color(point(size, i * size + size - 1) + 1) == kBorder);
    }
}

/// What the board predicts for a stone on an empty point, against placing it.
void check_point(const Board& board, const Cells& cells, int i) {
    const int size = board.size(), p = point(size, i);
    for (const Color color : {kBlack, kWhite}) {
        const naive::Placement after = naive::place(cells, size, i, color);
        CHECK(board.is_suicide(p, color) == (after.suicides > 0));
        CHECK(board.captures(p, color) == (after.taken > 0));
        CHECK(board.is_eye(p, color) == naive::is_eye(cells, size, i, color));
        CHECK(board.hash_after(p, color) == hash_of(after.cells, size));
        Board played = board;
        played.play(p, color);
        CHECK(played.hash() == board.hash_after(p, color));
        CHECK(cells_of(played) == after.cells);
    }
}

/// Legality by the state against the naive game, at every move if there are few.
void check_legality(const State& state, const naive::Game& game, Rng& rng) {
    const int points = game.size * game.size;
    for (const Move move : {INT_MIN, -1, points + 1, 65536, INT_MAX}) CHECK(!state.is_legal(move));
    CHECK(state.is_legal(points) == game.is_legal(points));
    const bool all = game.size <= 5;
    for (int i = 0; i < (all ? points : 12); ++i) {
        const Move move = all ? i : static_cast<Move>(rng.below(static_cast<uint32_t>(points)));
        CHECK(state.is_legal(move) == game.is_legal(move));
        if (game.cells[move] == kEmpty) check_point(state.board(), game.cells, move);
    }
    const auto moves = state.legal_moves();
    int legal = 0;
    for (Move move = 0; move <= points; ++move) {
        if (!state.is_legal(move)) continue;
        if (CHECK(legal < moves.size())) CHECK(moves[legal] == move);
        ++legal;
    }
    CHECK(legal == moves.size());
}

/// The same position set up from its cells, with what the ko rule needs to know.
void check_setup(const State& state, const naive::Game& game) {
    const Rules& rules = state.rules();
    State again(rules, game.cells, game.to_move, game.passes);
    check_board(again.board(), game.cells);
    if (rules.ko() == Ko::kSimple) {
        if (state.board().ko()) again.forbid(rules.move(state.board().ko()));
    } else {
        again.remember(state.history().hashes());
    }
    CHECK(again == state && again.hash() == state.hash());
}

int random_size(Rng& rng) {
    const uint32_t kind = rng.below(20);
    return kind == 0 ? 19 : kind == 1 ? 13 : kind == 2 ? 9 : 2 + static_cast<int>(rng.below(5));
}

auto leaves(int size, Ko ko) {
    return [=](int depth) {
        const Rules rules(size, 7.5, ko, false, {});
        return perft(State(rules), depth);
    };
}

TEST(go, perft_gives_the_known_counts) {
    for (const Ko ko : {Ko::kSimple, Ko::kPositional}) {
        check::check_counts(0, {1, 10, 91, 738, 5281, 33384}, leaves(3, ko));
        check::check_counts(0, {1, 17, 273, 4112}, leaves(4, ko));
        check::check_counts(0, {1, 26, 651, 15650}, leaves(5, ko));
    }
}

TEST(go, perft_on_2x2_tells_the_ko_rules_apart) {
    check::check_counts(0, {1, 5, 21, 68, 156, 316, 604, 1168}, leaves(2, Ko::kSimple));
    check::check_counts(7, {1112}, leaves(2, Ko::kSituational));
    check::check_counts(7, {1088}, leaves(2, Ko::kPositional));
}

TEST(go, random_games_agree_with_the_rules_by_the_letter) {
    Rng rng = check::rng_for(30);
    for (check::Budget budget; budget.is_left();) {
        const int size = random_size(rng);
        const Rules rules(size, 0.5, kKoRules[rng.below(3)], rng.below(2), {});
        State state(rules);
        naive::Game game{size, rules.ko(), rules.suicide()};
        game.remember();
        const check::Scene scene([&] { return game.draw(); });
        for (int ply = 0; !state.is_over() && ply < 3 * size * size + 50; ++ply) {
            if (!budget.spend()) break;
            const auto moves = state.legal_moves();
            const Move move = moves[static_cast<int>(rng.below(moves.size()))];
            if (!CHECK(game.is_legal(move))) break;
            state.play_unchecked(move);
            game.play(move);
            CHECK(state.to_move() == game.to_move && state.passes() == game.passes);
            CHECK(state.is_over() == (game.passes == 2) && state.last_move() == move);
            check_board(state.board(), game.cells);
            CHECK(state.recomputed_board_hash() == state.board().hash());
            check_legality(state, game, rng);
            const int area = naive::area(game.cells, size);
            CHECK(state.area() == area);
            CHECK(state.score() == area - 0.5 && state.outcome() == (area > 0 ? 1 : -1));
            check_setup(state, game);
        }
    }
}

/// A playout by the board's own random moves, as State::finish does it; 0 where one passes.
std::vector<int> play_out(Board& board, Color color, Rng& rng) {
    std::vector<int> played;
    const size_t longest = static_cast<size_t>(3 * board.size() * board.size() + 8);
    for (int passes = 0; passes < 2 && played.size() < longest; color = opponent(color)) {
        const int p = board.random_move(color, rng);
        played.push_back(p);
        if (p)
            board.play(p, color);
        else
            board.forget_ko();
        passes = p ? 0 : passes + 1;
    }
    return played;
}

TEST(go, random_moves_of_a_playout_are_legal_and_fill_no_eye) {
    Rng rng = check::rng_for(31);
    for (check::Budget budget; budget.is_left();) {
        const int size = random_size(rng), points = size * size;
        Board whole(size), board(size);
        const uint64_t seed = rng.next();
        Rng draws(seed), same_draws(seed);
        const std::vector<int> played = play_out(whole, kBlack, draws);
        const check::Scene scene([&] { return naive::draw(cells_of(board), size); });
        Color color = kBlack;
        for (const int p : played) {
            budget.spend();
            const Cells cells = cells_of(board);
            const auto allowed = [&](int i) {
                return cells[i] == kEmpty && point(size, i) != board.ko() &&
                       !naive::is_eye(cells, size, i, color) &&
                       !naive::place(cells, size, i, color).suicides;
            };
            CHECK(board.random_move(color, same_draws) == p);
            if (p) {
                CHECK(allowed((p / kStride - 1) * size + p % kStride - 1));
                board.play(p, color);
            } else {
                for (int i = 0; i < points; ++i) CHECK(!allowed(i));
                board.forget_ko();
            }
            color = opponent(color);
        }
        const Cells cells = cells_of(board);
        check_board(board, cells);
        const bool ended = played.size() < static_cast<size_t>(3 * points + 8);
        if (ended) CHECK(board.settled_area() == naive::area(cells, size));
        CHECK(std::abs(board.settled_area()) <= points);
    }
}

TEST(go, nearly_every_playout_ends_with_two_passes) {
    Rng rng(32);
    for (const int size : {5, 9, 19}) {
        const int playouts = size == 19 ? 20 : 200;
        int ended = 0;
        for (int i = 0; i < playouts; ++i) {
            Board board(size);
            const std::vector<int> played = play_out(board, kBlack, rng);
            ended += played.size() < static_cast<size_t>(3 * size * size + 8);
        }
        CHECK(ended >= playouts * 95 / 100);
    }
}

TEST(go, a_playout_is_a_legal_game_that_ends_as_it_says) {
    for (const int size : {2, 5, 9}) {
        const Rules rules(size, 7.5, Ko::kSimple, false, {});
        check::check_playouts_are_games(State(rules), 1, rules.pass(), 3 * size * size + 8, 37);
        check::check_shared_playouts(State(rules));
    }
}

TEST(go, states_are_values) {
    for (const Ko ko : kKoRules) {
        const Rules rules(5, 7.5, ko, true, {});
        check::check_values(State(rules), 38);
        check::check_batch(State(rules), 38);
    }
}

TEST(go, random_moves_are_equally_likely) {
    const Rules rules(5, 0.5, Ko::kSimple, false, {});
    const Cells cells = cells_of(".XO.O/XXOOO/.X.O./XXOO./.XO..");
    Board board = State(rules, cells, 1, 0).board();
    std::map<int, int> seen;
    for (int i = 0; i < 25; ++i)
        if (cells[i] == kEmpty && !naive::is_eye(cells, 5, i, kWhite) &&
            !naive::place(cells, 5, i, kWhite).suicides)
            seen[point(5, i)] = 0;
    CHECK(seen.size() < static_cast<size_t>(board.empties()));  // some draws are rejected
    constexpr int kDraws = 20000;
    Rng rng(33);
    for (int i = 0; i < kDraws; ++i) {
        const int p = board.random_move(kWhite, rng);  // which shuffles the list of points
        if (CHECK(seen.contains(p))) ++seen[p];
    }
    const double expected = double(kDraws) / static_cast<double>(seen.size());
    for (const auto& [p, count] : seen)
        CHECK((count - expected) * (count - expected) < 16 * expected);  // 4 sigma
}

TEST(go, a_copied_board_takes_only_the_part_in_use) {
    Board big(19);
    const int corner = point(19, 18 * 19);
    big.play(corner, kBlack);
    Board small(3);
    small.play(point(3, 4), kWhite);
    big = small;
    check_board(big, cells_of(".../.O./..."));
    CHECK(big.color(corner) == kBlack);  // far outside the 3×3 board, so left alone
    Board copy = big;
    uint64_t hashes[3];
    for (int i = 0; i < 3; ++i) {  // and each copy plays on like the original
        Board& board = i == 0 ? small : i == 1 ? big : copy;
        Rng rng(35);
        play_out(board, kBlack, rng);
        check_board(board, cells_of(board));
        hashes[i] = board.hash();
    }
    CHECK(hashes[0] == hashes[1] && hashes[0] == hashes[2]);
}

/// Count the ways to fill the points from the i-th on so that no stone is ever captured. A group
/// without liberties while only later points are empty stays so, and one that has a liberty at the
/// end has it throughout, so these are the legal positions.
uint64_t count_positions(const Board& board, int i) {
    const int size = board.size();
    if (i == size * size) return 1;
    uint64_t total = count_positions(board, i + 1);
    const int p = point(size, i);
    for (const Color color : {kBlack, kWhite}) {
        if (board.is_suicide(p, color) || board.captures(p, color)) continue;
        Board next = board;
        next.play(p, color);
        total += count_positions(next, i + 1);
    }
    return total;
}

TEST(go, legal_positions_are_as_many_as_known) {
    CHECK(count_positions(Board(1), 0) == 1);
    CHECK(count_positions(Board(2), 0) == 57);
    CHECK(count_positions(Board(3), 0) == 12675);
}

TEST(long, legal_positions_on_4x4_are_as_many_as_known) {
    CHECK(count_positions(Board(4), 0) == 24318165);
}

TEST(go, setting_up_accepts_exactly_the_legal_positions) {
    for (const int size : {2, 3}) {
        const Rules rules(size, 0.5, Ko::kPositional, false, {});
        Cells cells(static_cast<size_t>(size * size));
        int accepted = 0;
        for (;;) {
            if (!check::throws<std::invalid_argument>([&] { State(rules, cells, 0, 0); }))
                ++accepted;
            size_t i = 0;  // count in base three
            while (i < cells.size() && ++cells[i] == 3) cells[i++] = 0;
            if (i == cells.size()) break;
        }
        CHECK(accepted == (size == 2 ? 57 : 12675));
    }
}

TEST(go, a_ko_may_not_be_retaken_at_once) {
    for (const Ko ko : kKoRules) {
        const Rules rules(4, 0.5, ko, false, {});
        State state(rules, cells_of(".XO./X.XO/.XO./...."), 1, 0);
        const Move take = 5, retake = 6;
        CHECK(state.is_legal(take));
        state.play_unchecked(take);
        CHECK(state.board().color(rules.point(retake)) == kEmpty);
        CHECK(!state.is_legal(retake));
        state.play_unchecked(rules.pass());
        state.play_unchecked(12);  // White plays elsewhere
        CHECK(state.is_legal(retake));
    }
}

TEST(go, handicap_stones_are_black_and_white_moves_first) {
    const Move stones[] = {0, 8};
    const Rules rules(3, 0.5, Ko::kPositional, false, stones);
    const State state(rules);
    CHECK(state.to_move() == 1);
    check_board(state.board(), cells_of("X../.../..X"));
    const Move twice[] = {4, 4}, outside[] = {9};
    const Rules same(3, 0.5, Ko::kPositional, false, twice);
    CHECK(check::throws<std::invalid_argument>([&] { State state(same); }));
    CHECK(check::throws<std::invalid_argument>(
        [&] { Rules(3, 0.5, Ko::kPositional, false, outside); }));
    for (const int size : {INT_MIN, -1, 0, 1, 20, INT_MAX})
        CHECK(check::throws<std::invalid_argument>(
            [&] { Rules(size, 0.5, Ko::kPositional, false, {}); }));
}

TEST(go, dead_stones_are_counted_as_the_opponents_area) {
    const Rules rules(3, 0.5, Ko::kPositional, false, {});
    const State state(rules, cells_of(".XO/XX./..."), 0, 0);
    CHECK(state.area() == 4 - 1);
    const Move dead[] = {2};
    CHECK(state.area(dead) == 9);
}

TEST(go, the_history_has_exactly_what_was_added) {
    Rng rng = check::rng_for(36);
    History history;
    std::set<uint64_t> added;
    for (int i = 0; i < 500; ++i) {
        const uint64_t hash = rng.next() & 0xfff;  // few enough to come again
        CHECK(history.has(hash) == added.contains(hash));
        history.add(hash);
        added.insert(hash);
        CHECK(history.has(hash) && history.hashes().size() == added.size());
    }
}

}  // namespace
}  // namespace honte::go
