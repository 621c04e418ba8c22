// Search reports, read off the tree.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include "search/game.hpp"
#include "search/select.hpp"
#include "search/settings.hpp"
#include "search/tree.hpp"

namespace honte::search {

struct ChildReport {
    Move move;
    uint32_t visits;
    double value;  // of an unvisited move, with a policy or a network: first-play urgency
    double prior;
    Proof proof;
    int distance;
    double low, high;  // where the value lies with 95 % confidence; exact where proven
    double amaf_value;
    uint32_t amaf_visits;
    double exploration, rave_share;  // of the formula, as it stands now
    std::optional<double> lead;      // in points, for the side to move
};

struct Snapshot {
    std::vector<ChildReport> children;
    int chosen = -1;  // index among them
    Proof proof = kOpen;
    int distance = 0;
    std::vector<Move> pv;
    int depth = 0;
    uint64_t iterations = 0;
    int64_t nodes = 0;
    size_t bytes = 0;
    bool full = false;
};

/// The child to play by the settings' final rule; proofs come before statistics.
inline int final_choice(const std::vector<ChildReport>& children, Final rule) {
    const auto better = [&](const ChildReport& a, const ChildReport& b) {
        // Wins, the quickest first; then everything open; losses last, the longest first.
        const auto rank = [](const ChildReport& c) {
            return c.proof == kWin ? 2 : c.proof == kLoss ? 0 : 1;
        };
        if (rank(a) != rank(b)) return rank(a) > rank(b);
        if (a.proof == kWin) return a.distance < b.distance;
        if (a.proof == kLoss && a.distance != b.distance) return a.distance > b.distance;
        if ((a.visits == 0) != (b.visits == 0)) return a.visits > 0;
        // A proven draw is worth exactly 0, however often it was visited.
        if ((a.proof == kDraw) != (b.proof == kDraw)) return a.value > b.value;
        switch (rule) {
            case Final::kValue:
                return a.value > b.value;
            case Final::kUcb:
                return a.value + a.exploration > b.value + b.exploration;
            case Final::kLcb:
                return a.low > b.low;
            case Final::kVisits:
                break;
        }
        return a.visits != b.visits ? a.visits > b.visits : a.value > b.value;
    };
    int best = -1;
    for (int i = 0; i < static_cast<int>(children.size()); ++i)
        if (best < 0 || better(children[i], children[best])) best = i;
    return best;
}

/// The report on an expanded entry whose position is `here`. The move is chosen by the settings'
/// final rule, unless it is given.
template <SearchGame S>
Snapshot look_at(const Tree& tree, const Entry parent, const S& here, const Settings& settings,
                 std::optional<int> chosen = {}) {
    Snapshot shot;
    Block& block = *tree.at(parent.link());
    uint32_t visits = 0;
    for (int i = 0; i < block.count; ++i) visits += get(block.visits_of()[i]);
    const double total = std::max<uint32_t>(visits, 1);
    const double log_total = ln(std::max<uint32_t>(visits, 1));
    const double before = parent.visits();
    const double mean = before > 0 ? 1 - static_cast<double>(parent.points()) / kUnit / before : 0;
    const double urgency = tree.extras().network ? first_play_urgency(block, settings, mean) : 0;
    for (int i = 0; i < block.count; ++i) {
        const Entry entry{&block, i};
        const ChildView view(block, i, tree.extras());
        ChildReport child{};
        child.move = here.move_of(entry.action());
        child.visits = entry.visits();
        child.proof = proof_of(entry.info());
        child.distance = distance_of(entry.info());
        const bool column = tree.extras().policy || tree.extras().network;
        child.value = child.proof != kOpen && (settings.solver || child.visits == 0)
                          ? value_of(child.proof)
                      : child.visits > 0 || !column ? view.mean
                      : tree.extras().policy ? static_cast<double>(entry.points()) / kUnit - 1
                                             : urgency;
        child.prior = column            ? get(block.policy()[i])
                      : settings.policy ? view.prior.probability
                                        : 1.0 / block.count;
        const double n = std::max(view.visits, 1.0);
        const double spread =
            1.96 * std::sqrt(std::max(0.0, 1 - view.mean * view.mean) / n + 1 / (n * n));
        child.low = child.proof != kOpen ? child.value : std::max(-1.0, view.mean - spread);
        child.high = child.proof != kOpen ? child.value : std::min(1.0, view.mean + spread);
        child.amaf_value = view.amaf_mean;
        child.amaf_visits = static_cast<uint32_t>(view.amaf_visits);
        child.exploration = exploration(settings, total, log_total, column ? view.visits : n,
                                        view.variance, child.prior);
        child.rave_share = rave_share(settings, total, view.visits, view.amaf_visits);
        if (tree.extras().leads) {
            if (child.visits > 0) child.lead = static_cast<double>(entry.leads()) / kUnit / n;
            if (child.proof != kOpen && child.distance == 0) {  // the move ends the game
                S end = here;
                end.play_unchecked(child.move);
                child.lead = here.to_move() == 0 ? end.score() : -end.score();
            }
        }
        shot.children.push_back(child);
    }
    shot.chosen = chosen ? *chosen : final_choice(shot.children, settings.final);
    if (settings.solver) {
        shot.proof = opposite(proof_of(parent.info()));  // for the side to move
        shot.distance = distance_of(parent.info());
    }
    // The principal variation: the chosen move, then the most visited replies.
    S state = here;
    Entry at{&block, shot.chosen};
    for (int depth = 0; depth < 60; ++depth) {
        const Move move = state.move_of(at.action());
        if (!state.is_legal(move)) break;
        shot.pv.push_back(move);
        state.play_unchecked(move);
        const uint32_t name = at.link();
        if (name < Pool::kFirst || state.is_over()) break;
        Block& next = *tree.at(name);
        int best = -1;
        for (int i = 0; i < next.count; ++i) {
            const auto rank = [&](int j) {
                const Proof proof = proof_of(get(next.info()[j]));
                return proof == kWin ? 2 : proof == kLoss ? 0 : 1;
            };
            if (best < 0 || rank(i) > rank(best) ||
                (rank(i) == rank(best) && get(next.visits_of()[i]) > get(next.visits_of()[best])))
                best = i;
        }
        at = {&next, best};
        if (at.visits() == 0 && proof_of(at.info()) == kOpen) break;
    }
    shot.nodes = tree.nodes();
    shot.bytes = tree.bytes_used();
    shot.full = tree.is_full();
    return shot;
}

}  // namespace honte::search
