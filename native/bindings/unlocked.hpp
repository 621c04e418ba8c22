// Native work without the GIL, also while the interpreter shuts down.
#pragma once

#include <nanobind/nanobind.h>

#include <atomic>
#include <chrono>
#include <thread>

namespace honte::bindings {

/// Releases the GIL for a scope, like nb::gil_scoped_release.
///
/// Before Python 3.14, a daemon thread that reacquires the GIL during interpreter shutdown is
/// unwound by pthread_exit, and unwinding through C++ frames aborts the process. So after `end_all`
/// was called (at exit), every other thread blocks here until the process is gone.
class Unlocked {
public:
    Unlocked() : state_(PyEval_SaveThread()) {}
    ~Unlocked() {
        returning_.fetch_add(1);
        if (const auto ending = ending_.load();
            ending != std::thread::id() && ending != std::this_thread::get_id()) {
            returning_.fetch_sub(1);
            for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
        }
        PyEval_RestoreThread(state_);
        returning_.fetch_sub(1);
    }
    Unlocked(const Unlocked&) = delete;
    Unlocked& operator=(const Unlocked&) = delete;

    /// From now on, only the calling thread returns from native work.
    static void end_all() {
        ending_.store(std::this_thread::get_id());
        PyThreadState* const state = PyEval_SaveThread();
        while (returning_.load() != 0) std::this_thread::yield();
        PyEval_RestoreThread(state);
    }

private:
    PyThreadState* state_;
    static inline std::atomic<std::thread::id> ending_{};
    static inline std::atomic<int> returning_{0};
};

}  // namespace honte::bindings
