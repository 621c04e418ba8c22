#include "nets/network.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string_view>

#include "nets/json.hpp"

namespace honte::nets {

static_assert(std::endian::native == std::endian::little, "network files are little-endian");

namespace {

constexpr std::string_view kMagic = "honteNet";
constexpr uint32_t kVersion = 1;
constexpr size_t kPrefix = 32;
constexpr size_t kMostBytes = size_t{64} << 20;
constexpr int kMostBlocks = 64, kMostPlanes = 64;
constexpr float kMostFloat = 1e9f;  // keeps everything finite

template <class T>
T number_at(std::span<const uint8_t> file, size_t offset) {
    T number;
    std::memcpy(&number, file.data() + offset, sizeof number);
    return number;
}

constexpr int padded(int number, int unit) { return (number + unit - 1) / unit * unit; }

template <class T>
constexpr std::string_view kTypeName;
template <>
constexpr std::string_view kTypeName<int8_t> = "int8";
template <>
constexpr std::string_view kTypeName<int16_t> = "int16";
template <>
constexpr std::string_view kTypeName<int32_t> = "int32";
template <>
constexpr std::string_view kTypeName<float> = "float32";

}  // namespace

uint32_t crc32(std::span<const uint8_t> bytes) {
    static constexpr auto kTable = [] {
        std::array<uint32_t, 256> table{};
        for (uint32_t i = 0; i < 256; ++i) {
            uint32_t bits = i;
            for (int k = 0; k < 8; ++k) bits = bits >> 1 ^ (bits & 1 ? 0xedb88320u : 0u);
            table[i] = bits;
        }
        return table;
    }();
    uint32_t sum = ~0u;
    for (const uint8_t byte : bytes) sum = sum >> 8 ^ kTable[(sum ^ byte) & 255];
    return ~sum;
}

/// Reads the tensors of a file into the kernels' layout.
class NetworkReader {
public:
    explicit NetworkReader(std::span<const uint8_t> file) : file_(file) {}

    std::shared_ptr<const Network> read() {
        read_header();
        const Json& architecture = header_["architecture"];
        const int blocks = static_cast<int>(architecture["blocks"].integer(1, kMostBlocks));
        const int channels = static_cast<int>(architecture["channels"].integer(1, kMostChannels));
        const int head = static_cast<int>(architecture["head_channels"].integer(1, kMostChannels));
        const int hidden = static_cast<int>(architecture["hidden"].integer(1, kMostHidden));
        std::vector<bool> pools(static_cast<size_t>(blocks));
        for (const Json& block : architecture["pooling"].list())
            pools[static_cast<size_t>(block.integer(0, blocks - 1))] = true;
        for (const Json& plane : header_["planes"].list()) net_.planes_.push_back(plane.string());
        if (net_.planes_.empty() || net_.planes_.size() > kMostPlanes)
            throw FileError("it has " + std::to_string(net_.planes_.size()) + " input planes");
        const int planes = static_cast<int>(net_.planes_.size());

        Layout& layout = net_.layout_;
        layout.planes = planes;
        layout.channels = padded(channels, kBlock);
        layout.head_channels = padded(head, kBlock);
        layout.stem = convolution("stem", 3, planes, padded(planes, kGroup), channels);
        net_.blocks_.resize(static_cast<size_t>(blocks));
        for (int i = 0; i < blocks; ++i) {
            ResidualBlock& block = net_.blocks_[static_cast<size_t>(i)];
            const std::string name = "block" + std::to_string(i);
            block.copy = vector<int16_t>(name + ".copy", channels);
            block.first = convolution(name + ".first", 3, channels, layout.channels, channels);
            block.second = convolution(name + ".second", 3, channels, layout.channels, channels);
            if (pools[static_cast<size_t>(i)]) {
                net_.pools_.push_back(std::make_unique<Matrix>(
                    matrix(name + ".pool", 2, channels, layout.channels, channels)));
                block.pool = net_.pools_.back().get();
            }
        }
        layout.blocks = net_.blocks_.data();
        layout.block_count = blocks;
        layout.head_copy = vector<int16_t>("head.copy", channels);
        layout.head = convolution("head", 1, channels, layout.channels, head);
        for (const Json& name : header_["heads"].list()) net_.heads_.push_back(name.string());
        layout.policy = cell_head("policy", head);
        if (net_.has("ownership")) layout.ownership = cell_head("ownership", head);
        layout.hidden = matrix("value.hidden", 2, head, layout.head_channels, hidden);
        layout.values = values(hidden);
        return std::shared_ptr<const Network>(std::move(owned_));
    }

private:
    void read_header() {
        if (file_.size() < kPrefix || std::memcmp(file_.data(), kMagic.data(), kMagic.size()) != 0)
            throw FileError("it is not a network file");
        if (const auto version = number_at<uint32_t>(file_, 8); version != kVersion)
            throw FileError("it is of version " + std::to_string(version) +
                            ", and this program knows version " + std::to_string(kVersion));
        const auto header = number_at<uint32_t>(file_, 12);
        const auto length = number_at<uint64_t>(file_, 16);
        if (length > file_.size())
            throw FileError("it is cut off: " + std::to_string(file_.size()) + " of " +
                            std::to_string(length) + " bytes");
        if (length < file_.size() || length > kMostBytes || header > length - kPrefix)
            throw FileError("its lengths are wrong");
        if (crc32(file_.subspan(kPrefix)) != number_at<uint32_t>(file_, 24))
            throw FileError("it is damaged: its checksum is wrong");
        net_.header_.assign(reinterpret_cast<const char*>(file_.data() + kPrefix), header);
        header_ = Json::parse(net_.header_);
    }

    /// A tensor of the file, which must have exactly this type and shape.
    template <class T>
    std::vector<T> tensor(const std::string& name, std::vector<int64_t> shape) const {
        for (const Json& entry : header_["tensors"].list()) {
            if (entry["name"].string() != name) continue;
            const Json::List& sides = entry["shape"].list();
            bool same = entry["type"].string() == kTypeName<T> && sides.size() == shape.size();
            size_t count = 1;
            for (size_t i = 0; same && i < shape.size(); ++i) {
                same = sides[i].integer(0, kMostBytes) == shape[i];
                count *= static_cast<size_t>(shape[i]);
            }
            if (!same) throw FileError("its tensor " + name + " has another type or shape");
            const auto offset = static_cast<size_t>(entry["offset"].integer(kPrefix, kMostBytes));
            if (offset > file_.size() || count * sizeof(T) > file_.size() - offset)
                throw FileError("its tensor " + name + " lies outside of the file");
            std::vector<T> result(count);
            std::memcpy(result.data(), file_.data() + offset, count * sizeof(T));
            if constexpr (std::is_same_v<T, float>)
                for (const float number : result)
                    if (!(std::abs(number) <= kMostFloat))
                        throw FileError("its tensor " + name + " has a number out of range");
            return result;
        }
        throw FileError("it lacks the tensor " + name);
    }

    /// Zeros that live as long as the network.
    template <class T>
    T* memory(int64_t count) {
        const size_t bytes = static_cast<size_t>(count) * sizeof(T);
        auto* const memory = static_cast<uint8_t*>(::operator new(bytes, std::align_val_t(64)));
        std::memset(memory, 0, bytes);
        net_.memory_.emplace_back(memory);
        return reinterpret_cast<T*>(memory);
    }

    template <class T>
    const T* vector(const std::string& name, int count) {
        const std::vector<T> numbers = tensor<T>(name, {count});
        T* const to = memory<T>(padded(count, kBlock));
        std::copy(numbers.begin(), numbers.end(), to);
        if constexpr (std::is_same_v<T, int16_t>)
            if (name.ends_with(".copy"))
                for (const T number : numbers)
                    if (number < 0) throw FileError("its tensor " + name + " is negative");
        return to;
    }

    Convolution convolution(const std::string& name, int side, int ins, int padded_ins, int outs) {
        Convolution layer;
        layer.groups = padded_ins / kGroup;
        layer.steps = side * side * layer.groups;
        layer.outs = padded(outs, kBlock);
        const std::vector<int8_t> weights =
            tensor<int8_t>(name + ".weights", {side, side, ins, outs});
        int8_t* const to = memory<int8_t>(int64_t{layer.steps} * layer.outs * kGroup);
        const int8_t* from = weights.data();
        for (int tap = 0; tap < side * side; ++tap)
            for (int in = 0; in < ins; ++in)
                for (int out = 0; out < outs; ++out) {
                    if (*from == -128)  // two products with it would not fit 16 bits
                        throw FileError("its tensor " + name + ".weights has a −128");
                    to[((tap * layer.groups + in / kGroup) * layer.outs + out) * kGroup +
                       in % kGroup] = *from++;
                }
        layer.weights = to;
        layer.bias = vector<int32_t>(name + ".bias", outs);
        layer.scale = vector<float>(name + ".scale", outs);
        for (int out = 0; out < outs; ++out) {  // no sum may leave 32 bits, scaled or not
            double most = std::abs(double(layer.bias[out])) + kMostPooled;
            for (size_t i = static_cast<size_t>(out); i < weights.size();
                 i += static_cast<size_t>(outs))
                most += 127.0 * std::abs(weights[i]);
            if (layer.scale[out] < 0 || most * std::max(layer.scale[out], 1.0f) > 2147483000.0)
                throw FileError("its layer " + name + " does not fit 32 bits");
        }
        return layer;
    }

    /// Inputs come in parts, each padded.
    Matrix matrix(const std::string& name, int parts, int ins, int padded_ins, int outs) {
        Matrix made;
        made.ins = parts * padded_ins;
        made.outs = padded(outs, kBlock);
        const std::vector<float> weights = tensor<float>(name + ".weights", {parts * ins, outs});
        float* const to = memory<float>(int64_t{made.ins} * made.outs);
        for (int part = 0; part < parts; ++part)
            for (int in = 0; in < ins; ++in)
                std::copy_n(weights.data() + (part * ins + in) * outs, outs,
                            to + (part * padded_ins + in) * made.outs);
        made.weights = to;
        made.bias = vector<float>(name + ".bias", outs);
        return made;
    }

    /// The matrices of all value outputs side by side, which costs no more than one of them; zeros
    /// for heads that the network lacks.
    Matrix values(int hidden) {
        Matrix made;
        made.ins = padded(hidden, kBlock);
        made.outs = padded(kValues, kBlock);
        float* const weights = memory<float>(int64_t{made.ins} * made.outs);
        float* const bias = memory<float>(made.outs);
        const auto put = [&](const std::string& name, int first, int outs) {
            const std::vector<float> from = tensor<float>(name + ".weights", {hidden, outs});
            for (int in = 0; in < hidden; ++in)
                std::copy_n(from.data() + in * outs, outs, weights + in * made.outs + first);
            std::copy_n(tensor<float>(name + ".bias", {outs}).data(), outs, bias + first);
        };
        put("value.outcome", kWin, 3);
        if (net_.has("pass")) put("policy.pass", kPass, 1);
        if (net_.has("score")) put("value.score", kScore, 1);
        made.weights = weights;
        made.bias = bias;
        return made;
    }

    CellHead cell_head(const std::string& name, int channels) {
        CellHead made;
        made.pool = matrix(name + ".pool", 2, channels, net_.layout_.head_channels, channels);
        made.weights = vector<int16_t>(name + ".cell.weights", channels);
        int64_t most = 0;
        for (int i = 0; i < channels; ++i) most += std::abs(made.weights[i]);
        if (most > 65536)
            throw FileError("the weights of its " + name + " add up to more than 32 bits");
        made.scale = *vector<float>(name + ".cell.scale", 1);
        made.bias = *vector<float>(name + ".cell.bias", 1);
        if (made.scale < 0 || made.scale > 1)
            throw FileError("the scale of its " + name + " is out of range");
        return made;
    }

    std::span<const uint8_t> file_;
    std::unique_ptr<Network> owned_{new Network};
    Network& net_ = *owned_;
    Json header_;
};

bool Network::has(std::string_view head) const {
    return std::find(heads_.begin(), heads_.end(), head) != heads_.end();
}

std::shared_ptr<const Network> Network::read(std::span<const uint8_t> file) {
    return NetworkReader(file).read();
}

}  // namespace honte::nets
