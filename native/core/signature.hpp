// A hash of everything that some code decides. A change without functional effect keeps the number,
// on every machine and in every build.
#pragma once

#include <cstdint>

#include "core/rng.hpp"

namespace honte {

class Signature {
public:
    void add(uint64_t value) { value_ = mix(value_ ^ value); }
    void add(int value) { add(static_cast<uint64_t>(value)); }
    uint64_t value() const { return value_; }

private:
    uint64_t value_ = 0;
};

}  // namespace honte
