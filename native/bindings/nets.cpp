// Networks, for Python.
#include "nets/network.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <fstream>
#include <iterator>

#include "bindings/nets.hpp"
#include "bindings/unlocked.hpp"
#include "nets/evaluator.hpp"

namespace honte::bindings {

namespace nb = nanobind;

namespace {

using nets::Network;

std::shared_ptr<const Network> read_named(const std::string& name, std::span<const uint8_t> file) {
    try {
        return Network::read(file);
    } catch (const nets::FileError& error) {
        throw nb::value_error(("cannot read " + name + ": " + error.what()).c_str());
    }
}

/// A path, or the bytes of a file.
std::shared_ptr<const Network> read(const nb::object& source) {
    if (nb::isinstance<nb::bytes>(source)) {
        const auto bytes = nb::cast<nb::bytes>(source);
        return read_named("the network", {static_cast<const uint8_t*>(bytes.data()), bytes.size()});
    }
    const auto path = nb::cast<std::string>(nb::module_::import_("os").attr("fspath")(source));
    std::ifstream stream(path, std::ios::binary);
    const std::vector<char> data((std::istreambuf_iterator<char>(stream)), {});
    if (!stream) throw nb::value_error(("cannot open the network file " + path).c_str());
    return read_named(path, {reinterpret_cast<const uint8_t*>(data.data()), data.size()});
}

using Planes = nb::ndarray<const uint8_t, nb::ndim<4>, nb::c_contig, nb::device::cpu>;
template <size_t Dimensions>
using Result = nb::ndarray<nb::numpy, float, nb::ndim<Dimensions>>;

template <size_t Dimensions>
Result<Dimensions> result(std::initializer_list<size_t> shape) {
    size_t count = 1;
    for (const size_t side : shape) count *= side;
    auto* const numbers = new float[count]();
    const nb::capsule owner(numbers,
                            [](void* memory) noexcept { delete[] static_cast<float*>(memory); });
    return Result<Dimensions>(numbers, shape, owner);
}

void check(const SharedNetwork& self, const Planes& planes) {
    if (planes.shape(3) != self.network().planes().size())
        throw nb::value_error(("the network reads " +
                               std::to_string(self.network().planes().size()) + " planes, not " +
                               std::to_string(planes.shape(3)))
                                  .c_str());
    if (planes.shape(1) > nets::kMostSide || planes.shape(2) > nets::kMostSide)
        throw nb::value_error(
            ("boards have at most " + std::to_string(nets::kMostSide) + " rows and columns")
                .c_str());
}

void run(SharedNetwork& self, const Planes& planes, const nets::Outputs& outputs) {
    const Unlocked unlocked;
    self.evaluate(planes.data(), static_cast<int>(planes.shape(0)),
                  static_cast<int>(planes.shape(1)), static_cast<int>(planes.shape(2)), outputs);
}

std::tuple<Result<3>, Result<2>> evaluate(SharedNetwork& self, const Planes& planes) {
    check(self, planes);
    auto policy = result<3>({planes.shape(0), planes.shape(1), planes.shape(2)});
    auto outcome = result<2>({planes.shape(0), 3});
    run(self, planes, {policy.data(), outcome.data()});
    return {std::move(policy), std::move(outcome)};
}

nb::dict evaluate_heads(SharedNetwork& self, const Planes& planes) {
    check(self, planes);
    const size_t batch = planes.shape(0), columns = planes.shape(1), rows = planes.shape(2);
    auto policy = result<3>({batch, columns, rows}), ownership = result<3>({batch, columns, rows});
    auto outcome = result<2>({batch, 3});
    auto pass = result<1>({batch}), score = result<1>({batch});
    run(self, planes, {policy.data(), outcome.data(), pass.data(), score.data(), ownership.data()});
    nb::dict heads;
    heads["policy"] = policy;
    heads["outcome"] = outcome;
    if (self.network().has("pass")) heads["pass"] = pass;
    if (self.network().has("score")) heads["score"] = score;
    if (self.network().has("ownership")) heads["ownership"] = ownership;
    return heads;
}

}  // namespace

void bind_nets(nb::module_& module) {
    nb::class_<SharedNetwork>(module, "Network",
                              "A network for play, from a path or the bytes of a .net file.")
        .def(
            "__init__",
            [](SharedNetwork* self, const nb::object& source, const std::string& kernel) {
                const nets::Kernel& chosen = nets::kernel(kernel);
                new (self) SharedNetwork(read(source), chosen);
            },
            nb::arg("source"), nb::kw_only(), nb::arg("kernel") = "")
        .def_prop_ro(
            "header",
            [](const SharedNetwork& self) {
                return nb::module_::import_("json").attr("loads")(self.network().header());
            },
            "Architecture, planes, quantisation and training.")
        .def_prop_ro("kernel", &SharedNetwork::kernel)
        .def("evaluate", &evaluate, nb::arg("planes"),
             "Evaluate positions given as planes [batch, columns, rows, planes].\n\n"
             "Policy logits [batch, columns, rows], and chances of win, draw and loss [batch, 3];\n"
             "plane 0 marks the board.")
        .def("evaluate_heads", &evaluate_heads, nb::arg("planes"),
             "Everything that the network says about positions, by the name of the head.\n\n"
             "Further heads: `pass`, the logit of a pass [batch]; `score`, the final lead of the\n"
             "side to move in points [batch]; `ownership`, 1 for the side to move to -1\n"
             "[batch, columns, rows].");
    module.def(
        "network_kernels",
        [] {
            std::vector<std::string> names;
            for (const nets::Kernel& kernel : nets::kernels()) names.emplace_back(kernel.name);
            return names;
        },
        "What this processor can run networks with, the fastest first.");
}

}  // namespace honte::bindings
