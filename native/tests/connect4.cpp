// Connect Four against a naive implementation of the rules, on random boards with blocked cells.
#include "connect4/uct.hpp"

#include <algorithm>
#include <climits>
#include <cstring>
#include <set>

#include "tests/check.hpp"
#include "tests/rules.hpp"

namespace honte::connect4 {
namespace {

/// The naive rules: a grid of cells, row 0 at the top, with no derived state.
struct Grid {
    int rows, cols, inarow;
    std::vector<uint8_t> cells;
    int to_move = 0;
    bool won = false;

    uint8_t at(int row, int col) const {
        const bool inside = row >= 0 && row < rows && col >= 0 && col < cols;
        return inside ? cells[row * cols + col] : uint8_t{kBlocked};
    }
    int landing_row(int col) const {
        int row = rows - 1;
        while (row >= 0 && at(row, col) != kEmpty) --row;
        return row;  // −1: the column is full
    }
    bool is_legal(Move col) const {
        return !won && col >= 0 && col < cols && landing_row(col) >= 0;
    }
    bool is_over() const {
        bool open = false;
        for (int col = 0; col < cols; ++col) open |= is_legal(col);
        return !open;
    }
    bool makes_line(int row, int col, uint8_t cell) const {
        constexpr int kDirections[4][2] = {{0, 1}, {1, 0}, {1, 1}, {1, -1}};
        for (const auto [down, right] : kDirections) {
            int length = 1;
            for (int i = 1; at(row + i * down, col + i * right) == cell; ++i) ++length;
            for (int i = 1; at(row - i * down, col - i * right) == cell; ++i) ++length;
            if (length >= inarow) return true;
        }
        return false;
    }
    void play(Move col) {
        const int row = landing_row(col);
        const uint8_t cell = to_move ? kSecond : kFirst;
        won = makes_line(row, col, cell);
        cells[row * cols + col] = cell;
        to_move ^= 1;
    }
    int outcome() const { return won ? (to_move ? 1 : -1) : 0; }

    std::string draw() const {
        std::string text = "in a row: " + std::to_string(inarow);
        for (int row = 0; row < rows; ++row) {
            text += '\n';
            for (int col = 0; col < cols; ++col) text += ".XO#"[at(row, col)];
        }
        return text + "\n" + (to_move ? "O" : "X") + " to move";
    }
    Rules rules() const {
        bool blocked[kMaxSide * kMaxSide] = {};
        for (size_t i = 0; i < cells.size(); ++i) blocked[i] = cells[i] == kBlocked;
        return Rules(rows, cols, inarow, blocked);
    }
};

/// A board from a picture, rows from the top separated by '/'.
Grid grid_of(const std::string& picture, int inarow = 4) {
    Grid grid{1, 0, inarow, {}};
    int stones = 0;
    for (const char c : picture) {
        grid.rows += c == '/';
        if (c == '/') continue;
        const char* const known = ".XO#";
        const auto cell = static_cast<uint8_t>(std::strchr(known, c) - known);
        grid.cells.push_back(cell);
        stones += cell == kFirst || cell == kSecond;
    }
    grid.cols = static_cast<int>(grid.cells.size()) / grid.rows;
    grid.to_move = stones & 1;
    return grid;
}

Grid random_grid(Rng& rng) {
    const auto from = [&](int low, int high) {
        return low + static_cast<int>(rng.below(static_cast<uint32_t>(high - low + 1)));
    };
    Grid grid{from(4, 16), from(4, 16), rng.below(2) ? 4 : from(2, 16), {}};
    grid.cells.resize(static_cast<size_t>(grid.rows * grid.cols));
    // Mostly like the course's boards; sometimes a board with more blocked cells than free ones.
    const int blocked = rng.below(8) ? from(0, 6) : from(0, grid.rows * grid.cols - 1);
    for (int i = 0; i < blocked; ++i)
        grid.cells[rng.below(static_cast<uint32_t>(grid.cells.size() - 1))] = kBlocked;
    return grid;
}

Lines lines_of(const Grid& grid, uint8_t cell) {
    Lines lines{};
    for (int row = 0; row < grid.rows; ++row)
        for (int col = 0; col < grid.cols; ++col) {
            if (grid.at(row, col) != cell) continue;
            const int height = grid.rows - 1 - row;
            lines.row[height] |= static_cast<uint16_t>(1 << col);
            lines.column[col] |= static_cast<uint16_t>(1 << height);
            lines.diag[col - height + kMaxSide] |= static_cast<uint16_t>(1 << col);
            lines.anti[col + height] |= static_cast<uint16_t>(1 << col);
        }
    return lines;
}

void check_agrees(const State& state, const Grid& grid) {
    CHECK(state.to_move() == grid.to_move);
    CHECK(state.is_won() == grid.won);
    CHECK(state.is_over() == grid.is_over());
    CHECK(state.outcome() == grid.outcome());
    CHECK(state.hash() == state.recomputed_hash());
    for (const int player : {0, 1}) {
        const Lines lines = lines_of(grid, player ? kSecond : kFirst);
        CHECK(std::memcmp(&lines, &state.lines(player), sizeof lines) == 0);
    }
    for (int row = 0; row < grid.rows; ++row)
        for (int col = 0; col < grid.cols; ++col) CHECK(state.at(row, col) == grid.at(row, col));
    const auto moves = state.legal_moves();
    int legal = 0;
    for (Move col = -2; col < 20; ++col) {
        CHECK(state.is_legal(col) == grid.is_legal(col));
        if (grid.is_legal(col) && CHECK(legal < moves.size())) CHECK(moves[legal++] == col);
    }
    CHECK(legal == moves.size());
    for (Move col = 0; col < grid.cols; ++col) {
        const int row = grid.landing_row(col);
        CHECK(state.landing(col) == (row < 0 ? kFull : grid.rows - 1 - row));
        if (row < 0 || grid.won) continue;
        CHECK(state.wins_at(0, col) == grid.makes_line(row, col, kFirst));
        CHECK(state.wins_at(1, col) == grid.makes_line(row, col, kSecond));
        CHECK(State::move_of(state.action(col)) == col);
    }
}

/// The mover's win first, then the opponent's wins: one must be blocked, two cannot be.
void check_forced(const State& state, const Grid& grid) {
    std::vector<Move> wins, threats;
    for (Move col = 0; col < grid.cols; ++col) {
        const int row = grid.landing_row(col);
        if (row < 0) continue;
        if (grid.makes_line(row, col, grid.to_move ? kSecond : kFirst)) wins.push_back(col);
        if (grid.makes_line(row, col, grid.to_move ? kFirst : kSecond)) threats.push_back(col);
    }
    const search::Forced forced = forced_moves(state, 0);
    if (!wins.empty()) {
        CHECK(forced.kind == search::Forced::kWin && forced.moves[0] == wins[0]);
    } else if (threats.empty()) {
        CHECK(forced.kind == search::Forced::kNothing);
    } else {
        CHECK(forced.kind == (threats.size() == 1 ? search::Forced::kOnly : search::Forced::kLost));
        CHECK(forced.moves[0] == threats[0]);
        CHECK(threats.size() == 1 || forced.moves[1] == threats[1]);
    }
}

/// The patterns of a move, read cell by cell.
std::vector<int> patterns_by_the_letter(const Grid& grid, Move col, int last) {
    const uint8_t mine = grid.to_move ? kSecond : kFirst;
    const auto window = [&](int row, int down, int right) {
        int shape = 0;
        for (int step = -3, bit = 0; step <= 3; ++step) {
            if (step == 0) continue;
            const uint8_t cell = grid.at(row + step * down, col + step * right);
            if (cell == kBlocked || cell == mine) shape |= 1 << bit;
            if (cell != kEmpty && cell != mine) shape |= 64 << bit;
            ++bit;
        }
        return shape;
    };
    const auto parity = [&](int row) {  // 1: the mover gets this cell when the rest is full
        int before = 0;
        for (int i = 0; i < grid.rows * grid.cols; ++i) before += grid.cells[i] != kBlocked;
        for (int above = row - 1; above >= 0; --above) before -= grid.at(above, col) != kBlocked;
        return (before - 1) % 2 == grid.to_move ? 1 : 0;
    };
    const int row = grid.landing_row(col);
    int above = row - 1;
    while (above >= 0 && grid.at(above, col) == kBlocked) --above;
    const int first = 4 * 4096 * parity(row);
    std::vector<int> found = {first + window(row, 0, 1), first + 4096 + window(row, -1, 1),
                              first + 2 * 4096 + window(row, 1, 1),
                              first + 3 * 4096 + window(row, -1, 0)};
    if (above < 0) {
        found.push_back(MovePatterns::kTop);
    } else {
        const int second = MovePatterns::kAbove + 3 * 4096 * parity(above);
        found.insert(found.end(),
                     {second + window(above, 0, 1), second + 4096 + window(above, -1, 1),
                      second + 2 * 4096 + window(above, 1, 1)});
    }
    found.push_back(MovePatterns::kPlace + std::min(col, grid.cols - 1 - col) * kMaxSide +
                    grid.rows - 1 - row);
    found.push_back(MovePatterns::kDistance + (last < 0 ? 15 : std::abs(col - last)));
    return found;
}

void check_patterns(const State& state, const Grid& grid) {
    for (const Move col : state.legal_moves()) {
        std::vector<int> found;
        MovePatterns(state).of(col, state.landing(col),
                               [&](int feature) { found.push_back(feature); });
        CHECK(found == patterns_by_the_letter(grid, col, state.last_move()));
        CHECK(found.size() <= MovePatterns::kMaxPerMove);
        for (const int feature : found) {
            CHECK(feature >= 0 && feature < MovePatterns::kCount);
            CHECK(MovePatterns::mirrored(MovePatterns::mirrored(feature)) == feature);
        }
    }
}

uint64_t leaves(int depth) {
    const bool nothing_blocked[6 * 7] = {};
    const Rules rules(6, 7, 4, nothing_blocked);
    return perft(State(rules), depth);
}

TEST(connect4, perft_gives_the_known_counts) {
    check::check_counts(0, {1, 7, 49, 343, 2401, 16807, 117649, 823536}, leaves);
}

TEST(long, connect4_perft_gives_the_known_counts) {
    check::check_counts(8, {5673234, 39394572, 268031646}, leaves);
}

TEST(connect4, random_games_agree_with_the_rules_by_the_letter) {
    Rng rng = check::rng_for(10);
    check::Budget budget;
    while (budget.is_left()) {
        Grid grid = random_grid(rng);
        const Rules rules = grid.rules();
        State state(rules);
        const check::Scene scene([&] { return grid.draw(); });
        check_agrees(state, grid);
        while (!state.is_over() && budget.spend()) {
            check_forced(state, grid);
            check_patterns(state, grid);
            const auto moves = state.legal_moves();
            const Move move = moves[static_cast<int>(rng.below(moves.size()))];
            state.play_unchecked(move);
            grid.play(move);
            check_agrees(state, grid);
            CHECK(state.last_move() == move);
            const State again(rules, grid.cells, grid.to_move);
            check_agrees(again, grid);
            CHECK(again == state && again.hash() == state.hash());
        }
    }
}

TEST(connect4, threats_kept_move_by_move_are_the_wins_of_the_rules) {
    Rng rng = check::rng_for(14);
    check::Budget budget;
    while (budget.is_left()) {
        Grid grid = random_grid(rng);
        const Rules rules = grid.rules();
        State state(rules);
        Lines lines[2];
        uint8_t landing[kMaxSide];
        const auto copy = [&] {
            for (int player = 0; player < 2; ++player) lines[player] = state.lines(player);
            for (int col = 0; col < kMaxSide; ++col)
                landing[col] = static_cast<uint8_t>(state.landing(col));
        };
        copy();
        Threats<false> threats(rules, lines, landing);
        Threats<true> deep(rules, lines, landing);
        const check::Scene scene([&] { return grid.draw(); });
        while (!state.is_over() && budget.spend()) {
            const auto moves = state.legal_moves();
            const Move move = moves[static_cast<int>(rng.below(moves.size()))];
            const int me = state.to_move(), height = state.landing(move);
            state.play_unchecked(move);
            grid.play(move);
            if (state.is_won()) break;
            copy();
            const uint64_t packed = lines[me].with(move, height);
            threats.update(me, move, height, packed);
            deep.update(me, move, height, packed);
            for (int col = 0; col < grid.cols; ++col) {
                const int row = grid.landing_row(col);
                int above = row - 1;
                while (above >= 0 && grid.at(above, col) != kEmpty) --above;
                for (int player = 0; player < 2; ++player) {
                    const uint8_t cell = player ? kSecond : kFirst;
                    const bool now = row >= 0 && grid.makes_line(row, col, cell);
                    CHECK((threats.now(player) >> col & 1) == now);
                    CHECK((deep.now(player) >> col & 1) == now);
                    CHECK((deep.above(player) >> col & 1) ==
                          (row >= 0 && above >= 0 && grid.makes_line(above, col, cell)));
                }
            }
        }
    }
}

/// Can the side to move win by threats alone within `moves` moves of its own? Plain recursion.
bool wins_by_threats(const State& state, int moves) {
    const int me = state.to_move();
    const auto wins = [](const State& at, int player) {
        std::vector<Move> found;
        for (const Move move : at.legal_moves())
            if (at.wins_at(player, move)) found.push_back(move);
        return found;
    };
    if (moves < 1) return false;
    if (!wins(state, me).empty()) return true;
    for (const Move move : state.legal_moves()) {
        State next = state;
        next.play_unchecked(move);
        const auto threats = wins(next, me);
        if (moves < 2 || threats.empty() || !wins(next, me ^ 1).empty()) continue;
        if (threats.size() > 1) return true;
        next.play_unchecked(threats[0]);
        if (wins_by_threats(next, moves - 1)) return true;
    }
    return false;
}

TEST(connect4, a_win_by_threats_is_found_where_there_is_one) {
    Rng rng = check::rng_for(15);
    check::Budget budget;
    int found = 0;
    while (budget.is_left()) {
        Grid grid = random_grid(rng);
        grid.inarow = 4;
        const Rules rules = grid.rules();
        State state(rules);
        const check::Scene scene([&] { return grid.draw(); });
        while (!state.is_over() && budget.spend()) {
            for (int moves = 1; moves <= 4; ++moves) {
                ThreatSearch threats(state);
                const int plies = threats.plies(moves, 1 << 20);
                if (!CHECK((plies > 0) == wins_by_threats(state, moves)) || plies == 0) continue;
                ++found;
                CHECK(plies % 2 == 1 && plies < 2 * moves);
                State next = state;  // the move that begins it leaves what it says
                next.play_unchecked(threats.first());
                if (plies == 1) {
                    CHECK(next.is_won());
                    continue;
                }
                CHECK(!next.is_won());
                for (const Move answer : next.legal_moves()) {
                    State after = next;
                    after.play_unchecked(answer);
                    CHECK(!after.is_won());
                    CHECK(wins_by_threats(after, plies / 2));
                }
            }
            const auto moves = state.legal_moves();
            const Move move = moves[static_cast<int>(rng.below(moves.size()))];
            if (state.wins_at(state.to_move(), move) && rng.below(8)) continue;
            state.play_unchecked(move);
            grid.play(move);
        }
    }
    CHECK(found > 100);
}

/// The outcomes that play can lead to.
void add_outcomes(const State& state, std::set<int>& outcomes) {
    if (state.is_over()) outcomes.insert(state.outcome());
    for (const Move move : state.legal_moves()) {
        State next = state;
        next.play_unchecked(move);
        add_outcomes(next, outcomes);
    }
}

TEST(connect4, playouts_end_as_the_position_can_end) {
    Rng rng = check::rng_for(11);
    check::Budget budget;
    while (budget.is_left()) {
        Grid grid = random_grid(rng);
        if (grid.inarow < 4) grid.inarow = 4;  // so that some games reach their last moves
        const Rules rules = grid.rules();
        State state(rules);
        const check::Scene scene([&] { return grid.draw(); });
        while (!state.is_over() && budget.spend()) {
            const int open = rules.playable() - state.stones();
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
            const Move move = moves[static_cast<int>(rng.below(moves.size()))];
            state.play_unchecked(move);
            grid.play(move);
        }
        CHECK(search::random_playout(state, rng) == state.outcome() || !state.is_over());
    }
}

TEST(connect4, playouts_win_as_often_as_random_games_move_by_move) {
    const Rules rules = grid_of("...../..#../...../...../.....").rules();
    constexpr int kGames = 10000;
    Rng rng(12);
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

TEST(connect4, a_playout_is_a_legal_game_that_ends_as_it_says) {
    const Rules standard = grid_of("......./......./......./......./......./.......").rules();
    const Rules odd =
        grid_of("...#...../........./..#....../........./.....#.../.........", 5).rules();
    for (const Rules& rules : {standard, odd}) {
        check::check_playouts_are_games(State(rules), 16, -1, INT_MAX, 14);
        check::check_shared_playouts(State(rules));
    }
}

TEST(connect4, local_playouts_stay_near_as_often_as_they_should) {
    struct Columns {
        std::vector<int> played;
        void add(int action, int /*player*/) { played.push_back(State::move_of(action)); }
    };
    const bool nothing_blocked[16 * 16] = {};
    const Rules rules(16, 16, 4, nothing_blocked);
    Rng rng(13);
    double near = 0, all = 0;
    for (int game = 0; game < 2000; ++game) {
        State state(rules);
        state.play_unchecked(static_cast<Move>(rng.below(16)));
        Columns columns{{state.last_move()}};
        finish_game(state, rng, kLocal, columns);
        for (size_t i = 1; i < columns.played.size() && i < 20; ++i) {  // before columns are full
            near += std::abs(columns.played[i] - columns.played[i - 1]) <= 2;
            ++all;
        }
    }
    // Half of the moves, and of the others those by chance: 4.6 columns of 16.
    CHECK(std::abs(near / all - (0.5 + 0.5 * 74 / 256)) < 0.03);
}

TEST(connect4, states_are_values) {
    const Rules rules = grid_of("......./......./......./...#.../......./.......").rules();
    check::check_values(State(rules), 15);
    check::check_batch(State(rules), 15);
}

TEST(connect4, a_line_is_found_in_any_packed_words) {
    Rng rng = check::rng_for(13);
    for (check::Budget budget; budget.spend();) {
        uint64_t packed = rng.next();
        for (uint32_t i = rng.below(4); i; --i) packed |= rng.next();  // longer lines, too
        int longest = 0;
        for (int word = 0; word < 4; ++word)
            for (int bit = 0, length = 0; bit < 16; ++bit) {
                length = packed >> (16 * word + bit) & 1 ? length + 1 : 0;
                longest = std::max(longest, length);
            }
        CHECK(Rules::has_four(packed) == (longest >= 4));
        for (int inarow = 2; inarow <= 16; ++inarow) {
            const bool nothing_blocked[16] = {};
            CHECK(Rules(4, 4, inarow, nothing_blocked).has_line(packed) == (longest >= inarow));
        }
    }
}

TEST(connect4, a_piece_rests_on_the_blocked_cell) {
    const Grid grid = grid_of("..../..../.#../....");
    const Rules rules = grid.rules();
    State state(rules);
    for (const Move move : {1, 1, 1}) state.play_unchecked(move);
    CHECK(state.at(3, 1) == kFirst);
    CHECK(state.at(2, 1) == kBlocked);
    CHECK(state.at(1, 1) == kSecond);
    CHECK(state.at(0, 1) == kFirst);
    CHECK(!state.is_legal(1) && state.is_legal(0));
}

TEST(connect4, a_column_of_blocked_cells_is_full) {
    const Rules rules = grid_of("#.../#.../#.../#...").rules();
    const State state(rules);
    CHECK(!state.is_legal(0));
    CHECK(state.legal_moves().size() == 3);
}

TEST(connect4, a_blocked_cell_breaks_a_line) {
    const Grid broken = grid_of("....../....../....../OO..../XX#XX./OOXOOX");
    const Rules rules = broken.rules();
    const State state(rules, broken.cells, 0);
    CHECK(!state.is_over() && !state.wins_at(0, 5));
}

TEST(connect4, a_full_board_without_a_line_is_a_draw) {
    const Grid full = grid_of("XOXO/XOXO/OXOX/OXOX");
    const Rules rules = full.rules();
    const State state(rules, full.cells, 0);
    CHECK(state.is_over() && !state.is_won() && state.outcome() == 0);
    CHECK(state.legal_moves().size() == 0);
}

TEST(connect4, a_position_that_no_game_reaches_is_refused) {
    const auto refused = [](const std::string& picture, int to_move) {
        const Grid grid = grid_of(picture);
        const Rules rules = grid.rules();
        return check::throws<std::invalid_argument>([&] { State(rules, grid.cells, to_move); });
    };
    CHECK(!refused("..../..../..../XO..", 0));
    CHECK(refused("..../..../..../XO..", 1));   // X is to move
    CHECK(refused("..../..../..../XX..", 0));   // two moves by X
    CHECK(refused("..../..../X.../.O..", 0));   // a piece that hangs in the air
    CHECK(refused("..../..../OOO./XXXX", 0));   // X to move in a game that X has won
    CHECK(!refused("..../..../OOO./XXXX", 1));  // the same, and it is O's turn
    const Rules rules = grid_of("..../.#../..../....").rules();
    const std::vector<uint8_t> unmarked(16), too_few(15);
    CHECK(check::throws<std::invalid_argument>([&] { State(rules, unmarked, 0); }));
    CHECK(check::throws<std::invalid_argument>([&] { State(rules, too_few, 0); }));
}

TEST(connect4, rules_out_of_range_are_refused) {
    const auto refused = [](int rows, int cols, int inarow, bool all_blocked) {
        bool blocked[kMaxSide * kMaxSide];
        std::memset(blocked, all_blocked, sizeof blocked);
        return check::throws<std::invalid_argument>([&] { Rules(rows, cols, inarow, blocked); });
    };
    CHECK(!refused(4, 16, 2, false) && !refused(16, 4, 16, false));
    for (const int side : {INT_MIN, -1, 0, 3, 17, INT_MAX})
        CHECK(refused(side, 7, 4, false) && refused(6, side, 4, false));
    for (const int inarow : {INT_MIN, 0, 1, 17}) CHECK(refused(6, 7, inarow, false));
    CHECK(refused(6, 7, 4, true));
}

}  // namespace
}  // namespace honte::connect4
