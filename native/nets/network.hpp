// A network for play: masked residual, quantised, read from a file of src/honte/nets/netfile.py.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "nets/layout.hpp"

namespace honte::nets {

/// What is wrong with a network file, as the end of a sentence that begins with its name.
struct FileError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// The checksum of network files (that of zlib).
uint32_t crc32(std::span<const uint8_t> bytes);

/// Immutable once read: threads share one, each with an Evaluator of its own.
class Network {
public:
    /// Throws FileError if the bytes are not a complete, valid network file.
    static std::shared_ptr<const Network> read(std::span<const uint8_t> file);

    Network(const Network&) = delete;
    Network& operator=(const Network&) = delete;

    const Layout& layout() const { return layout_; }
    /// The file's header: JSON.
    const std::string& header() const { return header_; }
    const std::vector<std::string>& planes() const { return planes_; }
    /// Does it have this optional head: "pass", "score" or "ownership"?
    bool has(std::string_view head) const;

private:
    friend class NetworkReader;
    Network() = default;

    struct Aligned {
        void operator()(void* memory) const { ::operator delete(memory, std::align_val_t(64)); }
    };
    using Memory = std::unique_ptr<uint8_t, Aligned>;

    std::string header_;
    std::vector<std::string> planes_, heads_;
    std::vector<ResidualBlock> blocks_;
    std::vector<std::unique_ptr<Matrix>> pools_;
    std::vector<Memory> memory_;
    Layout layout_{};
};

}  // namespace honte::nets
