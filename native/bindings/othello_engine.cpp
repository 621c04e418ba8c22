#include "search/othello/engine.hpp"

#include <condition_variable>
#include <stdexcept>
#include <thread>

#include "bindings/state.hpp"
#include "search/othello/lessons.hpp"

namespace honte::bindings {

namespace {

using othello::Bounds;
using othello::Clock;
using othello::Engine;
using othello::Margins;
using othello::PatternWeights;
using othello::State;
using othello::Task;
using othello::Thought;

std::vector<int16_t> numbers_in(const nb::bytes& bytes) {  // little endian, as they are stored
    std::vector<int16_t> numbers(bytes.size() / 2);
    const auto* data = reinterpret_cast<const uint8_t*>(bytes.c_str());
    for (size_t i = 0; i < numbers.size(); ++i)
        numbers[i] = static_cast<int16_t>(data[2 * i] | data[2 * i + 1] << 8);
    return numbers;
}
nb::bytes bytes_of(const std::vector<int16_t>& numbers) {
    std::vector<char> data;
    for (const int16_t number : numbers) {
        data.push_back(static_cast<char>(number & 255));
        data.push_back(static_cast<char>(number >> 8 & 255));
    }
    return nb::bytes(data.data(), data.size());
}

/// What an evaluation has learned; engines share it.
struct Learned {
    std::shared_ptr<const PatternWeights> weights;
    Margins margins;

    Learned(const nb::bytes& tables, const nb::bytes& sigmas)
        : weights(std::make_shared<PatternWeights>(numbers_in(tables))) {
        const std::vector<int16_t> all = numbers_in(sigmas);
        if (all.size() != sizeof margins.sigma / sizeof(int16_t))
            throw std::invalid_argument("the margins have the wrong length");
        std::copy(all.begin(), all.end(), &margins.sigma[0][0]);
    }
    double evaluate(const Held<State>& held) const {
        const othello::Node node(held.state.board(), held.state.to_move());
        return weights->evaluate(node.numbers, node.board, node.color) /
               static_cast<double>(othello::patterns::kUnit);
    }
};

/// An engine that thinks on a thread of its own.
class Thinker {
public:
    Thinker(const Learned& learned, size_t megabytes)
        : engine_(learned.weights, learned.margins, megabytes) {}
    ~Thinker() { stop(); }

    void start(const State& state, const Task& task) {
        stop();
        done_ = false;
        thread_ = std::thread([this, board = state.board(), color = state.to_move(), task] {
            engine_.think(board, color, task);
            const std::lock_guard lock(mutex_);
            done_ = true;
            changed_.notify_all();
        });
    }
    bool wait(double seconds) {
        std::unique_lock lock(mutex_);
        return changed_.wait_for(lock, std::chrono::duration<double>(seconds),
                                 [this] { return done_; });
    }
    void stop() {
        if (!thread_.joinable()) return;
        engine_.stop();
        thread_.join();
    }
    Thought thought() const { return engine_.thought(); }

private:
    Engine engine_;
    std::thread thread_;
    std::mutex mutex_;
    std::condition_variable changed_;
    bool done_ = true;
};

nb::dict as_dict(const Thought& thought) {
    nb::list moves;
    for (const Thought::Move& move : thought.moves)
        moves.append(nb::make_tuple(move.square,
                                    move.value / static_cast<double>(othello::patterns::kUnit),
                                    move.is_bound));
    nb::dict found;
    found["moves"] = moves;
    found["depth"] = thought.depth;
    found["level"] = thought.level;
    found["solved"] = thought.solved;
    found["pv"] = thought.line;
    found["nodes"] = thought.nodes;
    return found;
}

std::span<const uint8_t> squares_of(const nb::bytes& bytes, size_t from, size_t count) {
    return {reinterpret_cast<const uint8_t*>(bytes.c_str()) + from, count};
}

}  // namespace

void bind_othello_engine(nb::module_& module) {
    nb::class_<Learned>(module, "OthelloEvaluation")
        .def(nb::init<const nb::bytes&, const nb::bytes&>(), nb::arg("tables"), nb::arg("sigmas"))
        .def("__call__", &Learned::evaluate, nb::arg("state"));

    nb::class_<Thinker>(module, "OthelloEngine")
        .def(nb::init<const Learned&, size_t>(), nb::arg("evaluation"), nb::arg("memory_mb"))
        .def(
            "start",
            [](Thinker& self, const Held<State>& held, int depth, double seconds, uint64_t nodes,
               int level, int last_level, bool all_moves, int threads) {
                Task task{.depth = depth,
                          .nodes = nodes,
                          .level = level,
                          .last_level = last_level,
                          .all_moves = all_moves,
                          .threads = threads};
                if (seconds < 1e6)
                    task.until = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                                    std::chrono::duration<double>(seconds));
                const nb::gil_scoped_release release;
                self.start(held.state, task);
            },
            nb::arg("state"), nb::arg("depth"), nb::arg("seconds"), nb::arg("nodes"),
            nb::arg("level"), nb::arg("last_level"), nb::arg("all_moves"), nb::arg("threads"))
        .def("wait", &Thinker::wait, nb::arg("seconds"), nb::call_guard<nb::gil_scoped_release>())
        .def("stop", &Thinker::stop, nb::call_guard<nb::gil_scoped_release>())
        .def("thought", [](const Thinker& self) { return as_dict(self.thought()); });

    module.def(
        "othello_marks",
        [](const nb::bytes& games) {
            std::string marks;
            {
                const nb::gil_scoped_release release;
                othello::Marker marker;
                for (size_t at = 0; at + 60 <= games.size(); at += 60)
                    marks.push_back(
                        static_cast<char>(marker.mark(squares_of(games, at, 60)).value_or(127)));
            }
            return nb::bytes(marks.data(), marks.size());
        },
        nb::arg("games"),
        "What each game of 60 squares came to with perfect play from 13 empties on; 127 unknown.");

    nb::class_<othello::Lessons>(module, "OthelloLessons")
        .def(nb::init<>())
        .def(
            "add",
            [](othello::Lessons& self, const nb::bytes& games, const nb::bytes& results,
               const nb::bytes& perfect, int empties, int held_out_every) {
                int added = 0;
                const nb::gil_scoped_release release;
                for (size_t i = 0; 60 * (i + 1) <= games.size() && i < results.size(); ++i) {
                    othello::Lesson lesson{squares_of(games, 60 * i, 60),
                                           static_cast<int8_t>(results.c_str()[i])};
                    if (i < perfect.size()) {
                        lesson.perfect = static_cast<int8_t>(perfect.c_str()[i]);
                        lesson.empties = empties;
                    }
                    added += self.add(lesson, ++self.games % held_out_every == 0);
                }
                return added;
            },
            nb::arg("games"), nb::arg("results"), nb::arg("perfect"), nb::arg("empties"),
            nb::arg("held_out_every"))
        .def("__len__", &othello::Lessons::size)
        .def(
            "learn",
            [](const othello::Lessons& self, int phase, double caution, int spread, int steps) {
                othello::Fit fit(caution);
                othello::Errors taught, held_out;
                {
                    const nb::gil_scoped_release release;
                    self.teach(fit, phase, spread);
                    fit.run(steps);
                    taught = fit.training_errors();
                    held_out = self.examine(fit, phase);
                }
                const auto mean = [](double sum, int64_t count) {
                    return count ? sum / static_cast<double>(count) : 0.0;
                };
                nb::dict found;
                found["tables"] = bytes_of(fit.tables());
                found["positions"] = taught.count;
                found["error"] = mean(taught.absolute, taught.count);
                found["held_out"] = held_out.count;
                found["held_out_error"] = mean(held_out.absolute, held_out.count);
                return found;
            },
            nb::arg("phase"), nb::arg("caution"), nb::arg("spread"), nb::arg("steps"));
    module.attr("OTHELLO_PHASES") = othello::patterns::kPhases;
    module.attr("OTHELLO_MARGIN_DEPTHS") = Margins::kDeepest + 1;
}

}  // namespace honte::bindings
