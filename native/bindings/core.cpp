// Bindings that belong to no game: random numbers, policy handles, signatures, build information.
#include <nanobind/nanobind.h>

#include "bindings/uct.hpp"
#include "core/rng.hpp"
#include "signature/signature.hpp"

namespace honte::bindings {

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
    info["level"] = HONTE_LEVEL;
#if defined(__AVX512VL__) && defined(__AVX512CD__)
    info["vectors"] = "AVX-512";
#elif defined(__AVX2__)
    info["vectors"] = "AVX2";
#else
    info["vectors"] = "portable words";
#endif
    return info;
}

}  // namespace

void bind_core(nb::module_& module) {
    nb::class_<Rng>(module, "Rng")
        .def(nb::init<uint64_t>(), nb::arg("seed"))
        .def("next", &Rng::next)
        .def("below", &Rng::below, nb::arg("n"));
    nb::class_<PolicyHandle>(module, "Policy");
    module.def("signature", &honte::signature, nb::call_guard<Unlocked>());
    module.def("engine_signature", &engine_signature, nb::call_guard<Unlocked>());
    module.def("build_info", &build_info);
    nb::module_::import_("atexit").attr("register")(nb::cpp_function(&Unlocked::end_all));
}

}  // namespace honte::bindings
