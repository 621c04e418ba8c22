// The selection rules, beyond plain UCB1 and PUCT (which block.hpp computes fast).
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "search/settings.hpp"
#include "search/tree.hpp"

namespace honte::search {

/// The weight β of the AMAF value. `parent` and `visits` count simulations through
/// the parent and the child, `amaf` those in which the move was played later by the same side.
inline double rave_share(const Settings& settings, double parent, double visits, double amaf) {
    switch (settings.rave) {
        case Rave::kNo:
            return 0;
        case Rave::kSchedule:  // Gelly & Silver 2007, as report G has it
            return amaf > 0 ? std::sqrt(settings.rave_k / (3 * parent + settings.rave_k)) : 0;
        case Rave::kBias: {  // Gelly & Silver 2011: the share of least mean squared error
            const double b = settings.rave_bias;
            return amaf > 0 ? amaf / (visits + amaf + 4 * b * b * visits * amaf) : 0;
        }
    }
    return 0;
}

/// The exploration term of a selection rule.
///
/// The tuned forms are stated for results in 0 … 1 (Auer, Cesa-Bianchi, Fischer 2002); with
/// ours in −1 … 1 a variance is four times as large and the term twice.
///   ucb1        c·√(f·ln N / n)
///   ucb1_tuned  c·√(ln N / n · min(¼, V)),  V = variance + √(2 ln N / n)
///   ucb_tuned2  the same with V = variance + √(2 ln N / N): the second term has the
///               parent's count, so it is large at first and soon gone (report G's
///               UCB-Tuned2, after Gelly, Wang, Munos, Teytaud 2006)
///   puct        c·P·√N / (1 + n)  (Rosin 2011, as in AlphaGo), P by the policy, or 1/children
inline double exploration(const Settings& settings, double parent, double log_parent, double visits,
                          double variance, double prior) {
    switch (settings.selection) {
        case Selection::kUcb1:
            return settings.c * std::sqrt(settings.ucb_factor * log_parent / visits);
        case Selection::kUcb1Tuned:
        case Selection::kUcbTuned2: {
            const double n = settings.selection == Selection::kUcb1Tuned ? visits : parent;
            const double v = variance / 4 + std::sqrt(2 * log_parent / n);
            return 2 * settings.c * std::sqrt(log_parent / visits * std::min(0.25, v));
        }
        case Selection::kPuct:
            return settings.c * prior * std::sqrt(parent) / (1 + visits);
        case Selection::kFlat:
            return 0;
    }
    return 0;
}

/// One child's numbers as the formulas see them.
struct ChildView {
    double visits, mean, variance, amaf_visits, amaf_mean;
    Prior prior;

    ChildView(Block& block, int i, Extras extras)
        : visits(get(block.visits_of()[i])), mean(0), variance(0), amaf_visits(0), amaf_mean(0) {
        if (visits > 0)
            mean = static_cast<double>(get(block.points()[i])) / kUnit /
                       (visits + (extras.policy ? 1 : 0)) -
                   1;
        if (extras.squares && visits > 0)
            variance = std::max(
                0.0, static_cast<double>(get(block.squares()[i])) / kUnit / visits - mean * mean);
        if (extras.amaf) {
            amaf_visits = get(block.amaf_visits(extras)[i]);
            if (amaf_visits > 0)
                amaf_mean =
                    static_cast<double>(get(block.amaf_total(extras)[i])) / kUnit / amaf_visits;
        }
        if (extras.priors) prior = block.priors(extras)[i];
    }
    /// Visits and their mean, the virtual visits of the prior included.
    double known() const { return visits + prior.weight; }
    double expected() const {
        return prior.weight > 0 ? (visits * mean + prior.weight * prior.value) / known() : mean;
    }
    double mixed(double share) const { return (1 - share) * expected() + share * amaf_mean; }
};

/// A child's total score. An unvisited move counts as visited once, with the first-play urgency as
/// its value unless AMAF knows better.
inline double score_of(const Settings& settings, const ChildView& child, double parent,
                       double log_parent, int children) {
    const double prior = settings.policy ? child.prior.probability : 1.0 / children;
    const double visits = std::max(child.known(), 1.0);
    const double share = rave_share(settings, parent, child.known(), child.amaf_visits);
    double value = child.mixed(share);
    if (child.known() == 0) value = child.amaf_visits > 0 ? child.amaf_mean : settings.fpu;
    const double n = settings.selection == Selection::kPuct ? child.visits : visits;
    return value + exploration(settings, parent, log_parent, n, child.variance, prior);
}

/// Progressive widening: how many children are considered after this many visits of their parent:
/// one more each time the visits have grown by 40 % (Coulom 2007).
inline int width(const Settings& settings, int children, double parent) {
    if (settings.progressive_widening == 0) return children;
    return static_cast<int>(std::min<double>(
        children, settings.progressive_widening + std::log(1 + parent / 40) / std::log(1.4)));
}

/// Has a move been visited often enough to be pruned?
inline bool is_pruned(const Settings& settings, const ChildView& child) {
    return settings.prune > 0 && child.visits >= settings.prune &&
           child.mean < settings.prune_value;
}

/// The best child by any formula; −1 if there is none to choose.
inline int best_child(Block& block, const Settings& settings, Extras extras,
                      uint32_t parent_visits) {
    const double parent = std::max<uint32_t>(parent_visits, 1);
    const double log_parent = ln(std::max<uint32_t>(parent_visits, 1));
    double best_score = -std::numeric_limits<double>::infinity();
    int best = -1;
    const int count = width(settings, block.count, parent);
    for (int i = 0; i < count; ++i) {
        const Proof proof = proof_of(get(block.info()[i]));
        if (settings.solver && proof == kLoss) continue;
        const ChildView child(block, i, extras);
        if (is_pruned(settings, child)) continue;
        const double score = score_of(settings, child, parent, log_parent, block.count);
        if (score > best_score) {
            best_score = score;
            best = i;
        }
    }
    return best;
}

/// First-play urgency with a network: an unvisited move is worth its parent less a reduction that
/// grows with the probability already visited (as in KataGo). `value` is the parent's, for the side
/// to move.
inline double first_play_urgency(const Settings& settings, double value, float visited) {
    return value - settings.fpu_reduction * std::sqrt(visited);
}
inline double first_play_urgency(Block& block, const Settings& settings, double value) {
    float visited = 0;
    for (int i = 0; i < block.count; ++i)
        if (get(block.visits_of()[i]) > 0) visited += block.policy()[i];
    return first_play_urgency(settings, value, visited);
}

/// Score utility: the value of a lead in points on top of the outcome. It saturates away from the
/// expected lead, and reaches half of its weight at `half` points from it.
struct LeadUtility {
    double weight = 0;  // 0: nothing
    double half = 1, expected = 0;

    double operator()(double lead) const {
        const double more = lead - expected;
        return weight * more / (half + std::abs(more));
    }
};

/// The child to descend to with a network's probabilities; −1 if every child is closed. `value` is
/// the parent's, for the side to move.
inline int best_by_network(Block& block, const Settings& settings, uint32_t parent_visits,
                           double value, const LeadUtility& utility) {
    const uint32_t* visits = block.visits_of();
    const double weight = settings.c * std::sqrt(static_cast<double>(parent_visits));
    float visited = 0;
    double best_score = -std::numeric_limits<double>::infinity();
    int best = -1;
    for (int i = 0; i < block.count; ++i) {
        const uint32_t n = get(visits[i]);
        const float probability = block.policy()[i];
        visited += n > 0 ? probability : 0;
        if (settings.solver && proof_of(get(block.info()[i])) == kLoss) continue;
        double mean;
        if (n == 0) {
            mean = first_play_urgency(settings, value, visited);
        } else {
            mean = static_cast<double>(get(block.points()[i])) / kUnit / n - 1;
            if (utility.weight > 0)
                mean += utility(static_cast<double>(get(block.leads()[i])) / kUnit / n);
        }
        const double score = mean + weight * probability / (1.0 + n);
        if (score > best_score) {
            best_score = score;
            best = i;
        }
        if (n == 0) break;  // those that follow are less likely
    }
    return best;
}

}  // namespace honte::search
