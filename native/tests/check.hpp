// Tests without a framework: a list of named functions, and a macro that counts.
#pragma once

#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "core/rng.hpp"

namespace honte::check {

/// What the command line sets: how many plies a random test plays, and from which seed.
struct Options {
    int64_t plies = 20000;
    uint64_t seed = 1;
};
inline Options options;

struct Test {
    std::string name;
    void (*run)();
};
inline std::vector<Test>& tests() {
    static std::vector<Test> all;
    return all;
}
inline bool enrol(const char* name, void (*run)()) {
    tests().push_back({name, run});
    return true;
}

/// Note the result of a check; print a failed one with the scene it happened in.
bool note(bool passed, const char* file, int line, const char* expression);

/// Context that a failed check prints: usually the board, drawn.
class Scene {
public:
    explicit Scene(std::function<std::string()> draw);
    ~Scene();
    Scene(const Scene&) = delete;
    Scene& operator=(const Scene&) = delete;

private:
    std::function<std::string()> draw_;
};

/// The random numbers of one test; another seed on the command line gives other games.
inline Rng rng_for(uint64_t test) { return Rng(mix(options.seed) + test); }

/// Counts down the plies that a random test may play.
class Budget {
public:
    bool spend(int64_t plies = 1) { return (left_ -= plies) >= 0; }
    bool is_left() const { return left_ > 0; }

private:
    int64_t left_ = options.plies;
};

template <class Error, class F>
bool throws(F f) {
    try {
        f();
    } catch (const Error&) {
        return true;
    }
    return false;
}

}  // namespace honte::check

#define CHECK(...) honte::check::note(bool(__VA_ARGS__), __FILE__, __LINE__, #__VA_ARGS__)

/// TEST(go, a_name_that_states_a_fact) { ... } is run as "go.a_name_that_states_a_fact".
/// The group `long` runs only on request.
#define TEST(group, name)                                             \
    static void test_##group##_##name();                              \
    [[maybe_unused]] static const bool enrolled_##group##_##name =    \
        honte::check::enrol(#group "." #name, test_##group##_##name); \
    static void test_##group##_##name()
