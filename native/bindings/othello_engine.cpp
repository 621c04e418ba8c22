#include "othello/engine.hpp"

#include <stdexcept>

#include "bindings/state.hpp"
#include "othello/uct.hpp"
#include "search/solution.hpp"

namespace honte::bindings {

namespace {

using othello::Bounds;
using othello::Clock;
using othello::Engine;
using othello::EngineResult;
using othello::Margins;
using othello::PatternWeights;
using othello::State;
using othello::Task;

std::vector<int16_t> numbers_in(const nb::bytes& bytes) {  // little endian, as they are stored
    std::vector<int16_t> numbers(bytes.size() / 2);
    const auto* data = reinterpret_cast<const uint8_t*>(bytes.c_str());
    for (size_t i = 0; i < numbers.size(); ++i)
        numbers[i] = static_cast<int16_t>(data[2 * i] | data[2 * i + 1] << 8);
    return numbers;
}

/// The patterns are defined for the 8×8 board only.
void check_size(const State& state) {
    if (state.rules().size() != 8) throw std::invalid_argument("the board must be 8x8");
}

/// A pattern evaluation; engines share it.
struct Evaluation {
    std::shared_ptr<const PatternWeights> weights;
    Margins margins;

    Evaluation(const nb::bytes& tables, const nb::bytes& sigmas)
        : weights(std::make_shared<PatternWeights>(numbers_in(tables))) {
        const std::vector<int16_t> all = numbers_in(sigmas);
        if (all.size() != sizeof margins.sigma / sizeof(int16_t))
            throw std::invalid_argument("the margins have the wrong length");
        std::copy(all.begin(), all.end(), &margins.sigma[0][0]);
    }
    double evaluate(const Held<State>& held) const {
        check_size(held.state);
        const othello::Node node(held.state.board(), held.state.to_move());
        return weights->evaluate(node.numbers, node.board, node.color) /
               static_cast<double>(othello::patterns::kUnit);
    }
};

/// An engine that searches in a thread of its own.
class EngineThread {
public:
    EngineThread(const Evaluation& evaluation, size_t megabytes)
        : engine_(evaluation.weights, evaluation.margins, megabytes) {}

    void start(const State& state, const Task& task) {
        stop();
        engine_.prepare(state.board(), state.to_move(), task);
        background_.begin([this] { engine_.run(background_.stop); });
    }
    bool wait(double seconds) {
        return background_.wait(
            std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds)));
    }
    void stop() { background_.end(); }
    EngineResult result() const { return engine_.result(); }
    /// What the tables know about the moves of a position; may be called during a search.
    std::vector<Engine::Probe> probe(const State& state) const {
        return engine_.probe(state.board(), state.to_move());
    }

private:
    Engine engine_;
    search::Background background_;
};

nb::dict as_dict(const EngineResult& result) {
    nb::list moves;
    for (const EngineResult::Move& move : result.moves)
        moves.append(nb::make_tuple(move.square,
                                    move.value / static_cast<double>(othello::patterns::kUnit),
                                    move.is_bound, move.exact));
    nb::dict found;
    found["moves"] = moves;
    found["depth"] = result.depth;
    found["solved"] = result.solved;
    found["pv"] = result.pv;
    found["nodes"] = result.nodes;
    return found;
}

}  // namespace

void bind_othello_engine(nb::module_& module) {
    nb::class_<Evaluation>(module, "OthelloEvaluation")
        .def(nb::init<const nb::bytes&, const nb::bytes&>(), nb::arg("tables"), nb::arg("sigmas"))
        .def("__call__", &Evaluation::evaluate, nb::arg("state"));

    nb::class_<EngineThread>(module, "OthelloEngine")
        .def(nb::init<const Evaluation&, size_t>(), nb::arg("evaluation"), nb::arg("memory_mb"))
        .def(
            "start",
            [](EngineThread& self, const Held<State>& held, int depth, double seconds,
               uint64_t nodes, int selectivity, int end_selectivity, bool all_moves, int threads) {
                Task task{.depth = depth,
                          .nodes = nodes,
                          .selectivity = selectivity,
                          .end_selectivity = end_selectivity,
                          .all_moves = all_moves,
                          .threads = threads};
                if (seconds < 1e6)
                    task.until = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                                    std::chrono::duration<double>(seconds));
                check_size(held.state);
                if (!held.state.moves_mask())
                    throw std::invalid_argument("there is no disc to place");
                const Unlocked unlocked;
                self.start(held.state, task);
            },
            nb::arg("state"), nb::arg("depth"), nb::arg("seconds"), nb::arg("nodes"),
            nb::arg("selectivity"), nb::arg("end_selectivity"), nb::arg("all_moves"),
            nb::arg("threads"))
        .def("wait", &EngineThread::wait, nb::arg("seconds"), nb::call_guard<Unlocked>())
        .def("stop", &EngineThread::stop, nb::call_guard<Unlocked>())
        .def("thought", [](const EngineThread& self) { return as_dict(self.result()); })
        .def(
            "probe",
            [](const EngineThread& self, const Held<State>& held) {
                check_size(held.state);
                constexpr double kUnit = othello::patterns::kUnit;
                nb::list found;
                for (const Engine::Probe& move : self.probe(held.state))
                    found.append(nb::make_tuple(move.square, move.low / kUnit, move.high / kUnit,
                                                move.depth, move.exact));
                return found;
            },
            nb::arg("state"));

    module.attr("OTHELLO_PHASES") = othello::patterns::kPhases;
    module.attr("OTHELLO_MARGIN_DEPTHS") = Margins::kDeepest + 1;
}

}  // namespace honte::bindings
