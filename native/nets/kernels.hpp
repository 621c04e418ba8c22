// The kernels that were built, and which of them this processor can run.
#pragma once

#include <string_view>
#include <vector>

#include "nets/layout.hpp"

namespace honte::nets {

struct Kernel {
    std::string_view name;
    Forward forward;
};

/// What this processor can run, the fastest first; "plain" is the last.
const std::vector<Kernel>& kernels();

/// The kernel of a name, or for "" the one that HONTE_KERNEL names, or the fastest.
/// std::invalid_argument where this processor has none of that name.
const Kernel& kernel(std::string_view name = "");

}  // namespace honte::nets
