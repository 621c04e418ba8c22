// Prints the processor level of this machine, for the build.
#include <cstdio>

#include "core/processor.hpp"

int main() {
    const auto best = honte::Processor().levels().front();
    std::printf("%.*s", static_cast<int>(best.size()), best.data());
}
