// Heavy playouts of Go: the six kinds of move of the Go report, in any order.
//
// The policies are tried in order, and the first that finds a move plays it; the fallback is a
// random move that fills no own eye. All but `capture`, `fill` and the fallback look only near the
// last move: a coherent sequence matters more than a good single move (MoGo, and the report). Each
// policy is skipped once in 16 times, to keep playouts diverse.
#pragma once

#include <cstdint>

#include "go/board.hpp"
#include "go/patterns.hpp"
#include "go/tactics.hpp"

namespace honte::go {

/// Playout policies. A list of policies is encoded in a number: four bits each, the first lowest.
enum PlayoutPolicy : unsigned {
    kSave = 1,     // groups that the last move put in atari: by taking a stone, or by running
    kNakade = 2,   // the vital point of a small eye beside the last move
    kPattern = 3,  // hane, cut and border patterns round the last move
    kCapture = 4,  // any group in atari, the latest first
    kFill = 5,     // a point in the open (experimental)
    kSafe = 6,     // no stones put into atari for nothing, by any policy
};
inline constexpr int kPolicyBits = 4;

class Playout {
public:
    /// `last` is the point of the last move, or 0.
    Playout(const Board& start, Color color, int passes, int last, unsigned policies)
        : board_(start), color_(color), passes_(passes), last_(last), policies_(policies) {
        for (unsigned rest = policies; rest; rest >>= kPolicyBits) {
            safe_ |= (rest & 15) == kSafe;
            captures_ |= (rest & 15) == kCapture;
        }
        if (captures_)
            for (int i = 0; i < board_.empties(); ++i) note_ataris(board_.empty_at(i));
    }

    const TacticalBoard& board() const { return board_; }

    /// Play to the end; Black's area minus White's. `on_move` is called for each stone.
    template <class OnMove>
    int finish(Rng& rng, OnMove on_move) {
        int plies_left = 3 * board_.size() * board_.size() + 8;  // long cycles end here
        for (; passes_ < 2 && plies_left > 0; --plies_left, color_ = opponent(color_)) {
            const int p = choose(rng);
            if (p) {
                on_move(p, color_);
                board_.play(p, color_);
                if (captures_) note_ataris(p);
                passes_ = 0;
            } else {
                board_.forget_ko();
                ++passes_;
            }
            last_ = p;
        }
        return area();
    }

    /// Black's area minus White's.
    int area() const {
        for (int i = 0; i < board_.empties(); ++i)
            if (board_.has_empty_neighbour(board_.empty_at(i))) return Owners(board_).area();
        return board_.settled_area();  // faster, if every empty point stands alone
    }

    /// The next point to play; 0 to pass.
    int choose(Rng& rng) {
        if (const int p = answer(rng)) return p;
        if (!safe_) return board_.random_move(color_, rng);
        return board_.random_move(color_, rng,
                                  [&](int p) { return !is_bad_self_atari(board_, p, color_); });
    }
    /// The move that the policies choose; 0 if none applies.
    int answer(Rng& rng) {
        uint64_t dice = rng.next();
        for (unsigned rest = policies_; rest; rest >>= kPolicyBits, dice >>= 4) {
            if ((dice & 15) == 0) continue;
            int p = 0;
            switch (rest & 15) {
                case kSave:
                    p = last_ ? save(rng) : 0;
                    break;
                case kNakade:
                    p = last_ ? nakade() : 0;
                    break;
                case kPattern:
                    p = last_ ? pattern(rng) : 0;
                    break;
                case kCapture:
                    p = capture();
                    break;
                case kFill:
                    p = fill(rng);
                    break;
                default:
                    break;
            }
            if (p) return p;
        }
        return 0;
    }

private:
    bool allows(int p) const { return !safe_ || !is_bad_self_atari(board_, p, color_); }

    int save(Rng& rng) {
        Points<8> found;
        Points<4> seen;
        for (const int step : kSteps) {
            const int q = last_ + step;
            if (board_.color(q) != color_ || seen.has(board_.group(q))) continue;
            const int liberty = board_.atari(q);
            if (!liberty) continue;
            seen.add(board_.group(q));
            int stone = q;
            do {
                for (const int way : kSteps) {
                    const int enemy = stone + way;
                    if (board_.color(enemy) != opponent(color_)) continue;
                    const int p = board_.atari(enemy);
                    if (p && can_play(board_, p, color_)) found.add(p);
                }
                stone = board_.next(stone);
            } while (stone != q && !found.full());
            if (runs(q, liberty)) found.add(liberty);
        }
        return pick(found, rng);
    }
    /// Does extending on its last liberty save the group?
    bool runs(int stone, int liberty) const {
        const auto after = placed<3>(board_, liberty, color_);
        if (after.liberties.count < 2 || liberty == board_.ko()) return false;
        return after.liberties.count == 3 || !Ladder::holds(board_, stone);
    }

    int nakade() const {
        for (const int step : kSteps) {
            const int p = vital_point(board_, last_ + step, opponent(color_));
            if (p && can_play(board_, p, color_)) return p;
        }
        return 0;
    }

    int pattern(Rng& rng) const {
        const Patterns& patterns = Patterns::get();
        Points<8> found;
        for (int i = 0; i < 4; ++i)
            for (const int p : {last_ + kSteps[i], last_ + kDiagonals[i]})
                if (board_.color(p) == kEmpty && patterns.match(board_.around(p)) &&
                    can_play(board_, p, color_) && allows(p))
                    found.add(p);
        return pick(found, rng);
    }

    int capture() {
        for (int i = ataris_.count - 1; i >= 0; --i) {
            const int p = ataris_.at[i];
            if (board_.color(p) == kEmpty) {
                if (p != board_.ko() && board_.captures(p, color_)) return p;
                if (board_.captures(p, opponent(color_))) continue;
            }
            ataris_.at[i] = ataris_.at[--ataris_.count];  // that group is gone, or out of atari
        }
        return 0;
    }
    /// Remember the last liberties of the groups at and round a point.
    void note_ataris(int p) {
        if (board_.color(p) != kEmpty)
            if (const int liberty = board_.atari(p)) ataris_.add(liberty);
        for (const int step : kSteps) {
            const Color color = board_.color(p + step);
            if (color != board_.color(p) && (color == kBlack || color == kWhite))
                if (const int liberty = board_.atari(p + step)) ataris_.add(liberty);
        }
    }

    int fill(Rng& rng) const {
        for (int tries = 0; tries < 4; ++tries) {
            const int p = board_.empty_at(
                static_cast<int>(rng.below(static_cast<uint32_t>(board_.empties()))));
            if (board_.around(p) == 0) return p;
        }
        return 0;
    }

    template <int Most>
    static int pick(const Points<Most>& found, Rng& rng) {
        if (found.count <= 1) return found.count ? found.at[0] : 0;
        return found.at[rng.below(static_cast<uint32_t>(found.count))];
    }

    TacticalBoard board_;
    Color color_;
    int passes_;
    int last_;
    unsigned policies_;
    bool safe_ = false, captures_ = false;
    Points<24> ataris_;  // the last liberties of groups in atari, some of them stale
};

}  // namespace honte::go
