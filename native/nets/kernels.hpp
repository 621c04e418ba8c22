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

/// The kernels that this processor can run, the fastest first; "plain" is the last.
const std::vector<Kernel>& kernels();

/// A kernel by name; "" is the one that HONTE_KERNEL names, else the fastest. Throws
/// std::invalid_argument if this processor has no kernel of that name.
const Kernel& kernel(std::string_view name = "");

}  // namespace honte::nets
