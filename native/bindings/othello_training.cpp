#include "othello/training.hpp"

#include <nanobind/nanobind.h>

#include <string>

#include "bindings/unlocked.hpp"

namespace honte::bindings {

namespace nb = nanobind;

namespace {

using othello::TrainingSet;

nb::bytes bytes_of(const std::vector<int16_t>& numbers) {
    std::vector<char> data;
    for (const int16_t number : numbers) {
        data.push_back(static_cast<char>(number & 255));
        data.push_back(static_cast<char>(number >> 8 & 255));
    }
    return nb::bytes(data.data(), data.size());
}
std::span<const uint8_t> squares_of(const nb::bytes& bytes, size_t from, size_t count) {
    return {reinterpret_cast<const uint8_t*>(bytes.c_str()) + from, count};
}

}  // namespace

void bind_othello_training(nb::module_& module) {
    module.def(
        "othello_exact_results",
        [](const nb::bytes& games) {
            std::string results;
            {
                const Unlocked unlocked;
                othello::ExactResults exact;
                for (size_t at = 0; at + 60 <= games.size(); at += 60)
                    results.push_back(
                        static_cast<char>(exact.of(squares_of(games, at, 60)).value_or(127)));
            }
            return nb::bytes(results.data(), results.size());
        },
        nb::arg("games"),
        "The result of each game of 60 squares with perfect play from 13 empties on; 127: "
        "unknown.");

    nb::class_<TrainingSet>(module, "OthelloTrainingSet")
        .def(nb::init<>())
        .def(
            "add",
            [](TrainingSet& self, const nb::bytes& games, const nb::bytes& results,
               const nb::bytes& perfect, int empties, int held_out_every) {
                int added = 0;
                const Unlocked unlocked;
                for (size_t i = 0; 60 * (i + 1) <= games.size() && i < results.size(); ++i) {
                    othello::TrainingGame game{squares_of(games, 60 * i, 60),
                                               static_cast<int8_t>(results.c_str()[i])};
                    if (i < perfect.size()) {
                        game.perfect = static_cast<int8_t>(perfect.c_str()[i]);
                        game.empties = empties;
                    }
                    added += self.add(game, ++self.games % held_out_every == 0);
                }
                return added;
            },
            nb::arg("games"), nb::arg("results"), nb::arg("perfect"), nb::arg("empties"),
            nb::arg("held_out_every"))
        .def("__len__", &TrainingSet::size)
        .def(
            "fit",
            [](const TrainingSet& self, int phase, double regularization, int spread, int steps) {
                othello::Fit fit(regularization);
                othello::Errors training, held_out;
                {
                    const Unlocked unlocked;
                    self.add_to(fit, phase, spread);
                    fit.run(steps);
                    training = fit.training_errors();
                    held_out = self.held_out_errors(fit, phase);
                }
                const auto mean = [](double sum, int64_t count) {
                    return count ? sum / static_cast<double>(count) : 0.0;
                };
                nb::dict found;
                found["tables"] = bytes_of(fit.tables());
                found["positions"] = training.count;
                found["error"] = mean(training.absolute, training.count);
                found["held_out"] = held_out.count;
                found["held_out_error"] = mean(held_out.absolute, held_out.count);
                return found;
            },
            nb::arg("phase"), nb::arg("regularization"), nb::arg("spread"), nb::arg("steps"));
}

}  // namespace honte::bindings
