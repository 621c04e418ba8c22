#include "nets/kernels.hpp"

#include <cstdlib>
#include <stdexcept>
#include <string>

#include "core/processor.hpp"

namespace honte::nets {

namespace {

#if defined(__x86_64__)

std::vector<Kernel> found() {
    const Processor processor;
    std::vector<Kernel> kernels;
#if defined(HONTE_KERNEL_AVX512)
    if (processor.avx512vnni) kernels.push_back({"avx512", &forward_avx512});
#endif
#if defined(HONTE_KERNEL_AVXVNNI)
    if (processor.avxvnni) kernels.push_back({"avxvnni", &forward_avxvnni});
#endif
#if defined(HONTE_KERNEL_AVX2)
    if (processor.avx2) kernels.push_back({"avx2", &forward_avx2});
#endif
    kernels.push_back({"plain", &forward_plain});
    return kernels;
}

#elif defined(__aarch64__)

std::vector<Kernel> found() {
    std::vector<Kernel> kernels;
#if defined(HONTE_KERNEL_DOTPROD)
    if (Processor().dot_product) kernels.push_back({"dotprod", &forward_dotprod});
#endif
    kernels.push_back({"neon", &forward_neon});
    kernels.push_back({"plain", &forward_plain});
    return kernels;
}

#else

std::vector<Kernel> found() { return {{"plain", &forward_plain}}; }

#endif

}  // namespace

const std::vector<Kernel>& kernels() {
    static const std::vector<Kernel> all = found();
    return all;
}

const Kernel& kernel(std::string_view name) {
    if (name.empty())
        if (const char* const wanted = std::getenv("HONTE_KERNEL")) name = wanted;
    if (name.empty()) return kernels().front();
    std::string names;
    for (const Kernel& kernel : kernels()) {
        if (kernel.name == name) return kernel;
        names += names.empty() ? "" : ", ";
        names += kernel.name;
    }
    throw std::invalid_argument("this processor has no kernel \"" + std::string(name) +
                                "\"; choose one of " + names);
}

}  // namespace honte::nets
