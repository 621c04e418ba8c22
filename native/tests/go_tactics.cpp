// Tactics, patterns and playout policies of Go against naive implementations of their definitions.
#include "go/tactics.hpp"

#include <map>
#include <set>

#include "go/uct.hpp"
#include "tests/check.hpp"
#include "tests/go_naive.hpp"

namespace honte::go {
namespace {

using naive::Cells;

int point(int size, int i) { return (i / size + 1) * kStride + i % size + 1; }
int index(int size, int p) { return (p / kStride - 1) * size + p % kStride - 1; }

std::set<int> liberties_of(const Cells& cells, int size, int i) {
    std::set<int> found;
    for (const int stone : naive::region(cells, size, i).cells)
        for (const int n : naive::neighbours(size, stone))
            if (cells[n] == kEmpty) found.insert(n);
    return found;
}

/// Naive ladders: the chased side extends or captures, the chaser plays on a liberty.
struct Reader {
    int looked = 0;

    bool escapes(const naive::Game& game, int stone) {
        const auto own = liberties_of(game.cells, game.size, stone);
        std::set<int> tries = own;
        for (const int s : naive::region(game.cells, game.size, stone).cells)
            for (const int n : naive::neighbours(game.size, s)) {
                if (game.cells[n] != opponent(game.mover())) continue;
                const auto theirs = liberties_of(game.cells, game.size, n);
                if (theirs.size() == 1) tries.insert(theirs.begin(), theirs.end());
            }
        for (const int move : tries) {
            if (!game.is_legal(move)) continue;
            ++looked;
            naive::Game after = game;
            after.play(move);
            const size_t left = liberties_of(after.cells, game.size, stone).size();
            if (left >= 3 || (left == 2 && chases(after, stone).empty())) return true;
        }
        return false;
    }
    std::set<int> chases(const naive::Game& game, int stone) {
        std::set<int> good;
        for (const int move : liberties_of(game.cells, game.size, stone)) {
            if (looked > 2000 || !game.is_legal(move)) continue;
            ++looked;
            naive::Game after = game;
            after.play(move);
            if (liberties_of(after.cells, game.size, stone).size() == 1 && !escapes(after, stone))
                good.insert(move);
        }
        return good;
    }
};

/// Does a pattern of the list match round a point, tried in every form?
bool matches(const Cells& cells, int size, int i) {
    for (const char* pattern : kPatterns)
        for (int form = 0; form < 16; ++form) {
            bool all = true;
            for (int down = -1; down <= 1; ++down)
                for (int right = -1; right <= 1; ++right) {
                    if (!down && !right) continue;
                    const int row = i / size + down, col = i % size + right;
                    const bool inside = row >= 0 && row < size && col >= 0 && col < size;
                    const char here = inside ? ".XO"[cells[row * size + col]] : '#';
                    int a = form & 1 ? -down : down, b = form & 2 ? -right : right;
                    if (form & 4) std::swap(a, b);
                    char wanted = pattern[3 * (a + 1) + b + 1];
                    if (form & 8 && std::string("XOxo").find(wanted) != std::string::npos)
                        wanted = "OXox"[std::string("XOxo").find(wanted)];
                    all &= wanted == '?' || wanted == here || (wanted == 'x' && here != 'X') ||
                           (wanted == 'o' && here != 'O');
                }
            if (all) return true;
        }
    return false;
}

Shape shape_of(const std::vector<int>& cells, int size) {
    Shape shape;
    for (const int i : cells) shape.points.add(point(size, i));
    shape.measure();
    return shape;
}

/// The vital point of the eye space around an empty point; 0 for none, or for a point in the open.
int vital_of(const Cells& cells, int size, int i, Color color) {
    int beside = 0;
    for (const int n : naive::neighbours(size, i)) beside += cells[n] == kEmpty;
    const naive::Region eye = naive::region(cells, size, i);
    const bool broken = color == kBlack ? eye.touches_white : eye.touches_black;
    if (beside > 2 || broken || eye.cells.size() > Shape::kMost) return 0;
    const Shape shape = shape_of(eye.cells, size);
    return shape.vital() < 0 ? 0 : shape.points.at[shape.vital()];
}

/// A self-atari for nothing: neither a single stone nor a shape that leaves one eye when captured.
bool wastes(const Cells& cells, int size, int i, Color color) {
    const auto after = naive::place(cells, size, i, color);
    int friends = 0;
    for (const int n : naive::neighbours(size, i)) friends += cells[n] == color;
    if (after.taken || !friends) return false;
    if (after.suicides) return true;
    const auto left = liberties_of(after.cells, size, i);
    const auto stones = naive::region(after.cells, size, i).cells;
    if (left.size() > 1) return false;
    for (const int n : naive::neighbours(size, *left.begin()))
        if (after.cells[n] == kEmpty) return true;
    return stones.size() > Shape::kMost || !shape_of(stones, size).is_nakade();
}

void check_groups(const TacticalBoard& board, const naive::Game& game) {
    const int size = game.size;
    for (int i = 0; i < size * size; ++i) {
        const int p = point(size, i);
        if (game.cells[i] == kEmpty) {
            CHECK(Patterns::get().match(board.around(p)) == matches(game.cells, size, i));
            for (const Color color : {kBlack, kWhite}) {
                CHECK(vital_point(board, p, color) == vital_of(game.cells, size, i, color));
                CHECK(is_bad_self_atari(board, p, color) == wastes(game.cells, size, i, color));
                const auto after = naive::place(game.cells, size, i, color);
                const auto found = placed<3>(board, p, color);
                CHECK(found.taken == after.taken);
                if (after.suicides) {
                    CHECK(found.liberties.count == 0);
                    continue;
                }
                const auto left = liberties_of(after.cells, size, i);
                CHECK(found.liberties.count == std::min<int>(3, static_cast<int>(left.size())));
                for (const int q : found.liberties) CHECK(left.contains(index(size, q)));
            }
            continue;
        }
        const auto known = liberties_of(game.cells, size, i);
        const int only = known.size() == 1 ? point(size, *known.begin()) : 0;
        CHECK(board.atari(p) == only);
        const auto found = liberties<4>(board, p);
        CHECK(found.count == std::min<int>(4, static_cast<int>(known.size())));
        for (const int q : found) CHECK(known.contains(index(size, q)));
    }
}

void check_ladders(const TacticalBoard& board, const naive::Game& game) {
    for (int i = 0; i < game.size * game.size; ++i) {
        const int p = point(game.size, i);
        if (game.cells[i] == kEmpty || board.group(p) != p) continue;
        const bool mine = game.cells[i] == game.mover();
        const size_t count = liberties_of(game.cells, game.size, i).size();
        Reader reader;
        if (count == 1 && mine) {
            const bool escapes = reader.escapes(game, i);
            if (reader.looked <= 100) CHECK(Ladder::holds(board, p) == !escapes);
        } else if (count == 2 && !mine) {
            const auto good = reader.chases(game, i);
            if (reader.looked > 100) continue;
            const int start = Ladder::start(board, p);
            CHECK(start ? good.contains(index(game.size, start)) : good.empty());
        }
    }
}

TEST(go_tactics, random_positions_agree_with_plain_readings) {
    Rng rng = check::rng_for(41);
    for (check::Budget budget; budget.is_left();) {
        const int size = 3 + static_cast<int>(rng.below(7));
        naive::Game game{size, Ko::kSimple, false};
        game.remember();
        Board plain(size);
        TacticalBoard board(size);
        const check::Scene scene([&] { return game.draw(); });
        for (int ply = 0; ply < 3 * size * size && game.passes < 2; ++ply) {
            const Color color = game.mover();
            const int p = plain.random_move(color, rng);
            if (p) {
                game.play(index(size, p));
                board.play(p, color);
                plain.play(p, color);
            } else {
                game.play(size * size);
                board.forget_ko();
                plain.forget_ko();
            }
            budget.spend();
            if (rng.below(4)) continue;
            check_groups(board, game);
            check_groups(TacticalBoard(plain), game);
            check_ladders(board, game);
        }
    }
}

/// A position from a picture, rows from the top separated by '/'.
struct Scene {
    Rules rules;
    State state;
    int size;

    static std::vector<uint8_t> read(const std::string& picture) {
        std::vector<uint8_t> cells;
        for (const char c : picture)
            if (c != '/') cells.push_back(c == 'X' ? kBlack : c == 'O' ? kWhite : kEmpty);
        return cells;
    }
    static int side(const std::string& picture) { return static_cast<int>(picture.find('/')); }
    Scene(const std::string& picture, int to_move = 0)
        : rules(side(picture), 0.5, Ko::kSimple, false, {}),
          state(rules, read(picture), to_move, 0),
          size(side(picture)) {}

    /// Row from the top and column from the left, from 0.
    int at(int row, int col) const { return (row + 1) * kStride + col + 1; }
    /// What a policy answers to a stone at `last`; 0 for no answer, which random moves would hide.
    std::set<int> answers(unsigned policies, int last) const {
        std::set<int> found;
        Rng rng(1);
        for (int i = 0; i < 200; ++i) {
            Playout playout(state.board(), state.mover(), 0, last, policies);
            found.insert(playout.answer(rng));
        }
        found.erase(0);
        return found;
    }
};

TEST(go_tactics, a_group_in_atari_runs_where_it_gets_three_liberties) {
    const Scene scene(
        "....."
        "/.O..."
        "/OX..."
        "/.O..."
        "/.....");
    CHECK(scene.answers(kSave, scene.at(1, 1)) == std::set<int>{scene.at(2, 2)});
}

TEST(go_tactics, a_group_runs_from_a_ladder_only_where_a_stone_breaks_it) {
    const std::string above =
        "........."
        "/..OO....."
        "/.OX......"
        "/..O......"
        "/........."
        "/........."
        "/.........";
    const Scene works(above + "/........./.........");
    CHECK(works.answers(kSave, works.at(1, 2)).empty());
    const Scene broken(above + "/......X../.........");
    CHECK(broken.answers(kSave, broken.at(1, 2)) == std::set<int>{broken.at(2, 3)});
}

TEST(go_tactics, a_group_in_atari_is_saved_by_taking_what_surrounds_it) {
    const Scene scene(
        ".OX.."
        "/OXOX."
        "/.XO.."
        "/.OX.."
        "/.....");
    // Running along the side leaves one liberty; three white stones can be taken, one or two.
    CHECK(scene.answers(kSave, scene.at(3, 1)) == std::set<int>{scene.at(0, 0), scene.at(2, 3)});
}

TEST(go_tactics, the_middle_of_three_enclosed_points_is_vital) {
    const Scene scene(
        "...O."
        "/OOOO."
        "/....."
        "/....."
        "/.....");
    CHECK(scene.answers(kNakade, scene.at(0, 3)) == std::set<int>{scene.at(0, 1)});
}

TEST(go_tactics, a_square_of_four_has_no_vital_point_and_a_pyramid_has_one) {
    const auto vital = [](std::initializer_list<int> points) {
        Shape shape;
        for (const int p : points) shape.points.add(p);
        shape.measure();
        return shape.vital();
    };
    const int p = 5 * kStride + 5, down = kStride;
    CHECK(vital({p, p + 1, p + down, p + down + 1}) == -1);
    CHECK(vital({p, p + 1, p + 2, p + 3}) == -1);
    CHECK(vital({p, p + 1, p + 1 + down, p + 2 + down}) == -1);
    CHECK(vital({p, p + 1, p + 2, p + 1 + down}) == 1);
    CHECK(vital({p, p + 1, p + down, p + down + 1, p + 2}) == 1);
    CHECK(vital({p, p - 1, p + 1, p - down, p + down}) == 0);
    CHECK(vital({p, p - 1, p + 1, p - down, p + down, p + down + 1}) == 0);
    CHECK(vital({p, p + 1, p + 2, p + 3, p + 4}) == -1);
}

TEST(go_tactics, a_big_group_does_not_put_itself_into_atari) {
    const Scene scene(
        "XXXXX"
        "/OOOX."
        "/..OX."
        "/OOOOO"
        "/.....");
    const TacticalBoard board(scene.state.board());
    CHECK(is_bad_self_atari(board, scene.at(1, 4), kBlack));   // seven stones and it, one liberty
    CHECK(!is_bad_self_atari(board, scene.at(1, 4), kWhite));  // one stone thrown in
    CHECK(!is_bad_self_atari(board, scene.at(2, 0), kBlack));
    CHECK(!is_bad_self_atari(board, scene.at(4, 1), kBlack));  // it has two
}

TEST(go_tactics, an_eye_may_be_filled_with_a_shape_that_leaves_one) {
    const Scene two(
        "X..O."
        "/OOOO."
        "/....."
        "/....."
        "/.....");
    CHECK(!is_bad_self_atari(TacticalBoard(two.state.board()), two.at(0, 1), kBlack));
    const Scene four(
        "XXX..O"
        "/OOOOOO"
        "/......"
        "/......"
        "/......"
        "/......");
    CHECK(is_bad_self_atari(TacticalBoard(four.state.board()), four.at(0, 3), kBlack));
}

TEST(go_tactics, a_capture_is_found_anywhere_on_the_board) {
    const Scene scene(
        "OX..."
        "/....."
        "/....."
        "/....."
        "/....O");
    CHECK(scene.answers(kCapture, scene.at(4, 4)) == std::set<int>{scene.at(1, 0)});
}

TEST(go_tactics, filling_the_board_chooses_points_in_the_open) {
    const Scene scene(
        "X...."
        "/....."
        "/....."
        "/....."
        "/....O");
    for (const int p : scene.answers(kFill, 0))
        CHECK(TacticalBoard(scene.state.board()).around(p) == 0);
}

TEST(go_tactics, every_policy_plays_legal_games_that_fill_no_eye) {
    Rng rng = check::rng_for(42);
    for (check::Budget budget; budget.is_left();) {
        const int size = 2 + static_cast<int>(rng.below(8));
        const Rules rules(size, 7.5, Ko::kSimple, false, {});
        State state(rules);
        unsigned policies = 0;
        for (int i = 0; i < 6; ++i) policies = policies << 4 | rng.below(7);
        const auto cells = [&] {
            Cells now;
            for (int i = 0; i < size * size; ++i)
                now.push_back(state.board().color(point(size, i)));
            return now;
        };
        const check::Scene scene(
            [&] { return "policies " + std::to_string(policies) + naive::draw(cells(), size); });
        State copy = state;
        struct {
            State& state;
            check::Budget& budget;
            int passed = 0;
            void add(int move, int player) {
                if (state.to_move() != player) state.play_unchecked(state.rules().pass());
                CHECK(state.to_move() == player);
                if (!CHECK(state.is_legal(move))) return;
                const int p = state.rules().point(move);
                CHECK(!state.board().is_eye(p, state.mover()) ||
                      state.board().captures(p, state.mover()));
                state.play_unchecked(move);
                budget.spend();
            }
        } trace{state, budget};
        const search::Result result = finish_game(copy, rng, policies | 1, trace);
        const int area = naive::area(cells(), size);
        if (result.plies < 3 * size * size) CHECK(result.outcome == (area > 7.5 ? 1 : -1));
    }
}

}  // namespace
}  // namespace honte::go
