// getpid where the C library of Windows is Microsoft's.
#pragma once

#if defined(_MSC_VER)
#include <process.h>

using pid_t = int;
inline pid_t getpid() { return _getpid(); }
#else
#include_next <unistd.h>
#endif
