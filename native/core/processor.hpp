// What the processor supports and the operating system enables: x86-64 levels, and extensions
// beyond them.
//
// The detection is compiled for the baseline processor, as it runs before a build is chosen.
#pragma once

#include <string_view>
#include <vector>

#if defined(__x86_64__)
#include <cpuid.h>
#elif defined(__aarch64__) && defined(__linux__)
#include <sys/auxv.h>
#endif

namespace honte {

struct Processor {
    int level = 0;  // of x86-64, 1 to 4, as the System V ABI defines them; 0 elsewhere
    bool avx2 = false, avxvnni = false, avx512vnni = false;
    bool dot_product = false;  // of arm64

    Processor() {
#if defined(__x86_64__)
        unsigned a = 0, b = 0, c = 0, d = 0;
        level = 1;
        if (!__get_cpuid(1, &a, &b, &c, &d)) return;
        const unsigned first = c;
        const unsigned extended = __get_cpuid(0x80000001, &a, &b, &c, &d) ? c : 0;
        const unsigned features =
            __get_cpuid_count(7, 0, &a, &b, &c, &d) ? b : 0;  // a: subleaves, c: more features
        const unsigned subleaves = features ? a : 0, more = features ? c : 0;

        // SSE3, SSSE3, CMPXCHG16B, SSE4.1, SSE4.2, POPCNT; LAHF.
        if (!has(first, {0, 9, 13, 19, 20, 23}) || !has(extended, {0})) return;
        level = 2;
        // Registers that the system does not save on a context switch are unusable.
        if (!has(first, {27})) return;  // OSXSAVE
        unsigned saved, high;
        __asm__("xgetbv" : "=a"(saved), "=d"(high) : "c"(0));
        if (!has(saved, {1, 2})) return;
        avx2 = has(first, {28}) && has(features, {5});
        if (avx2 && subleaves >= 1 && __get_cpuid_count(7, 1, &a, &b, &c, &d))
            avxvnni = has(a, {4});
        // FMA, MOVBE, AVX, F16C; LZCNT; BMI1, AVX2, BMI2.
        if (!has(first, {12, 22, 28, 29}) || !has(extended, {5}) || !has(features, {3, 5, 8}))
            return;
        level = 3;
        // AVX-512 F, DQ, CD, BW, VL.
        if (!has(saved, {5, 6, 7}) || !has(features, {16, 17, 28, 30, 31})) return;
        level = 4;
        avx512vnni = has(more, {11});
#elif defined(__aarch64__) && defined(__APPLE__)
        dot_product = true;  // all of Apple's processors since 2018 do
#elif defined(__aarch64__) && defined(__linux__)
        dot_product = getauxval(AT_HWCAP) & 1u << 20;  // HWCAP_ASIMDDP
#endif
    }

    /// The builds of the native core that run here, the fastest first; "baseline" is the last.
    std::vector<std::string_view> levels() const {
        static constexpr std::string_view kNames[] = {"v4", "v3", "v2"};
        std::vector<std::string_view> found;
        for (int i = 0; i < 3; ++i)
            if (level >= 4 - i) found.push_back(kNames[i]);
        found.push_back("baseline");
        return found;
    }

private:
    struct Bits {
        unsigned mask = 0;
        template <class... Bit>
        constexpr Bits(Bit... bit) : mask((0u | ... | (1u << bit))) {}
    };
    static bool has(unsigned word, Bits bits) { return (word & bits.mask) == bits.mask; }
};

}  // namespace honte
