// Binary data in C++ source.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace honte {

/// Decode lines of base 85, as honte.core.embedded writes them: four bytes in five characters.
inline std::vector<uint8_t> embedded(std::span<const std::string_view> lines) {
    constexpr std::string_view digits =
        "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>,@^_`{|}~";
    uint8_t value[128] = {};
    for (size_t i = 0; i < digits.size(); ++i)
        value[static_cast<size_t>(digits[i])] = static_cast<uint8_t>(i);
    std::vector<uint8_t> bytes;
    for (const std::string_view line : lines)
        for (size_t at = 0; at < line.size(); at += 5) {
            const std::string_view group = line.substr(at, 5);
            uint32_t word = 0;
            for (size_t i = 0; i < 5; ++i)  // a short last group is filled up with the last digit
                word = word * 85 + (i < group.size() ? value[static_cast<size_t>(group[i])] : 84);
            for (size_t i = 0; i + 1 < group.size(); ++i)
                bytes.push_back(static_cast<uint8_t>(word >> (24 - 8 * i)));
        }
    return bytes;
}

}  // namespace honte
