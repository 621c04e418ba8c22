#include <nanobind/nanobind.h>

#include "games/rng.hpp"
#include "search/signature.hpp"

namespace nb = nanobind;

namespace honte::bindings {
void bind_connect4(nb::module_& module);
void bind_connect4_solver(nb::module_& module);
void bind_connect4_alphabeta(nb::module_& module);
void bind_othello(nb::module_& module);
void bind_go(nb::module_& module);
void bind_uct(nb::module_& module);
void bind_alphabeta(nb::module_& module);
void bind_othello_engine(nb::module_& module);
}  // namespace honte::bindings

namespace {

/// How the module was built, for `honte doctor`.
nb::dict build_info() {
    nb::dict info;
    info["compiler"] = __VERSION__;
#if defined(__OPTIMIZE__)
    info["build"] = "release";
#else
    info["build"] = "debug";
#endif
#if defined(__AVX2__)
    info["vectors"] = "AVX2";
#else
    info["vectors"] = "portable words";
#endif
    return info;
}

}  // namespace

NB_MODULE(_native, module) {
    using honte::Rng;
    nb::set_leak_warnings(false);  // states held by an interpreter that exits are no leak of ours
    nb::class_<Rng>(module, "Rng")
        .def(nb::init<uint64_t>(), nb::arg("seed"))
        .def("next", &Rng::next)
        .def("below", &Rng::below, nb::arg("n"));
    module.def("signature", &honte::search::signature, nb::call_guard<nb::gil_scoped_release>());
    module.def("build_info", &build_info);
    honte::bindings::bind_connect4(module);
    honte::bindings::bind_connect4_solver(module);
    honte::bindings::bind_connect4_alphabeta(module);
    honte::bindings::bind_othello(module);
    honte::bindings::bind_go(module);
    honte::bindings::bind_uct(module);
    honte::bindings::bind_alphabeta(module);
    honte::bindings::bind_othello_engine(module);
}
