#include "nets/kernels.hpp"

#include <cstdlib>
#include <stdexcept>
#include <string>

#if defined(__x86_64__)
#include <cpuid.h>
#elif defined(__aarch64__) && defined(__linux__)
#include <sys/auxv.h>
#endif

namespace honte::nets {

namespace {

#if defined(__x86_64__)

/// What the processor knows and the system saves when threads switch.
struct Processor {
    bool avx2 = false, avxvnni = false, avx512 = false;

    Processor() {
        unsigned a, b, c, d;
        if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & 1u << 27)) return;  // OSXSAVE
        unsigned saved, high;
        __asm__("xgetbv" : "=a"(saved), "=d"(high) : "c"(0));
        if (!__get_cpuid_count(7, 0, &a, &b, &c, &d)) return;
        const unsigned subleaves = a;
        avx2 = (saved & 6) == 6 && (b & 1u << 5);
        constexpr unsigned kF = 1u << 16, kDq = 1u << 17, kBw = 1u << 30, kVl = 1u << 31;
        constexpr unsigned kAll = kF | kDq | kBw | kVl;
        avx512 = avx2 && (saved & 0xe6) == 0xe6 && (b & kAll) == kAll && (c & 1u << 11);
        if (avx2 && subleaves >= 1 && __get_cpuid_count(7, 1, &a, &b, &c, &d))
            avxvnni = a & 1u << 4;
    }
};

std::vector<Kernel> found() {
    const Processor processor;
    std::vector<Kernel> kernels;
#if defined(HONTE_KERNEL_AVX512)
    if (processor.avx512) kernels.push_back({"avx512", &forward_avx512});
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

[[maybe_unused]] bool has_dot_product() {
#if defined(__APPLE__)
    return true;  // all of Apple's processors since 2018 do
#elif defined(__linux__)
    return getauxval(AT_HWCAP) & 1u << 20;  // HWCAP_ASIMDDP
#else
    return false;
#endif
}

std::vector<Kernel> found() {
    std::vector<Kernel> kernels;
#if defined(HONTE_KERNEL_DOTPROD)
    if (has_dot_product()) kernels.push_back({"dotprod", &forward_dotprod});
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
