// mmap on Windows, as far as trees and tables use it: zeroed memory that costs nothing until it is
// touched.
#pragma once

#if !defined(NOMINMAX)
#define NOMINMAX
#endif
#if !defined(WIN32_LEAN_AND_MEAN)
#define WIN32_LEAN_AND_MEAN
#endif
#include <windows.h>
// Words of sixteen-bit Windows, which we need ourselves.
#undef far
#undef near
#undef small

#include <cstddef>

inline constexpr int PROT_READ = 1, PROT_WRITE = 2;
inline constexpr int MAP_PRIVATE = 1, MAP_ANONYMOUS = 2, MAP_NORESERVE = 4;
inline void* const MAP_FAILED = nullptr;

inline void* mmap(void*, size_t bytes, int, int, int, int) {
    return VirtualAlloc(nullptr, bytes, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
}
inline int munmap(void* memory, size_t) { return VirtualFree(memory, 0, MEM_RELEASE) ? 0 : -1; }
