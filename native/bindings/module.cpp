// The Python module: the list of games.
#include <nanobind/nanobind.h>

namespace nb = nanobind;

namespace honte::bindings {
void bind_core(nb::module_& module);  // first: games derive from its classes
void bind_nets(nb::module_& module);
void bind_connect4(nb::module_& module);
void bind_othello(nb::module_& module);
void bind_go(nb::module_& module);
}  // namespace honte::bindings

NB_MODULE(_native, module) {
    nb::set_leak_warnings(false);  // states still alive at interpreter exit are not our leak
    honte::bindings::bind_core(module);
    honte::bindings::bind_nets(module);
    honte::bindings::bind_connect4(module);
    honte::bindings::bind_othello(module);
    honte::bindings::bind_go(module);
}
