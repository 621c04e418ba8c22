#include "othello/uct.hpp"

#include "bindings/uct.hpp"

namespace honte::bindings {

void bind_othello_uct(nb::module_& module) { bind_uct<othello::State>(module, "OthelloUct"); }

}  // namespace honte::bindings
