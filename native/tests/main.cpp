// native_tests [NAME-PREFIX] [--plies N] [--seed S]    run the tests with this prefix
// native_tests --signature                             print both native signatures
#include <algorithm>
#include <charconv>
#include <chrono>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <string_view>

#include "signature/signature.hpp"
#include "tests/check.hpp"

namespace honte::check {

namespace {

constexpr int kShown = 5;  // failures printed in full for each test

uint64_t checks = 0, failures = 0;
uint64_t failures_before_test = 0;
std::vector<const std::function<std::string()>*> scenes;

}  // namespace

bool note(bool passed, const char* file, int line, const char* expression) {
    ++checks;
    if (passed) return true;
    ++failures;
    if (failures - failures_before_test > kShown) return false;
    std::printf("%s:%d: failed: %s\n", file, line, expression);
    for (const auto* draw : scenes) std::printf("%s\n", (*draw)().c_str());
    return false;
}

Scene::Scene(std::function<std::string()> draw) : draw_(std::move(draw)) {
    scenes.push_back(&draw_);
}
Scene::~Scene() { scenes.pop_back(); }

namespace {

void run(const Test& test) {
    const auto started = std::chrono::steady_clock::now();
    const uint64_t checks_before = checks;
    failures_before_test = failures;
    try {
        test.run();
    } catch (const std::exception& error) {
        note(false, test.name.c_str(), 0, error.what());
    }
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - started;
    const uint64_t failed = failures - failures_before_test;
    std::printf("%s %s: %" PRIu64 " checks, %.2f s", failed ? "FAILED" : "ok", test.name.c_str(),
                checks - checks_before, spent.count());
    if (failed) std::printf(", %" PRIu64 " failures", failed);
    std::printf("\n");
    std::fflush(stdout);
}

int run_all(std::string_view prefix) {
    int count = 0;
    std::sort(tests().begin(), tests().end(),
              [](const Test& a, const Test& b) { return a.name < b.name; });
    for (const Test& test : tests()) {
        if (!test.name.starts_with(prefix)) continue;
        if (test.name.starts_with("long.") && prefix.empty()) continue;
        run(test);
        ++count;
    }
    if (count == 0) {
        std::fprintf(stderr, "no test is called %.*s...; without a name all are run\n",
                     static_cast<int>(prefix.size()), prefix.data());
        return 2;
    }
#if defined(__AVX2__) && !defined(HONTE_PORTABLE)
    const char* words = "AVX2";
#else
    const char* words = "portable words";
#endif
    std::printf("%d tests with %s, %" PRIu64 " checks, %" PRIu64 " failures\n", count, words,
                checks, failures);
    return failures != 0;
}

template <class T>
bool read_number(const char* text, T& number) {
    const char* end = text + std::strlen(text);
    const auto [stopped, error] = std::from_chars(text, end, number);
    return error == std::errc() && stopped == end;
}

}  // namespace

}  // namespace honte::check

int main(int count, char** words) {
    using honte::check::options;
    std::string_view prefix;
    for (int i = 1; i < count; ++i) {
        const std::string_view word = words[i];
        if (word == "--signature" && count == 2) {
            std::printf("%" PRIu64 " %" PRIu64 "\n", honte::signature(), honte::engine_signature());
            return 0;
        }
        bool fine = false;
        if (word == "--plies" && i + 1 < count)
            fine = honte::check::read_number(words[++i], options.plies) && options.plies > 0;
        else if (word == "--seed" && i + 1 < count)
            fine = honte::check::read_number(words[++i], options.seed);
        else if (prefix.empty() && !word.empty() && word[0] != '-') {
            prefix = word;
            fine = true;
        }
        if (!fine) {
            std::fprintf(stderr,
                         "cannot read %s; usage: native_tests [NAME-PREFIX] [--plies N] [--seed S]"
                         " or native_tests --signature\n",
                         words[i]);
            return 2;
        }
    }
    return honte::check::run_all(prefix);
}
