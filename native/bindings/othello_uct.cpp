#include "othello/uct.hpp"

#include "bindings/searches.hpp"
#include "bindings/uct.hpp"

namespace honte::bindings {

void bind_othello_uct(nb::module_& module) {
    bind_uct<othello::State>(module, "OthelloUct");
    bind_searches<othello::State>(module, "OthelloSearches");
}

}  // namespace honte::bindings
