// Networks: every kernel computes the same bits, and damaged files are rejected.
#include <array>
#include <bit>
#include <cstring>
#include <string>

#include "nets/evaluator.hpp"
#include "tests/check.hpp"

namespace honte::nets {
namespace {

using File = std::vector<uint8_t>;

/// Writes network files with random weights, in the format of src/honte/nets/netfile.py.
class Writer {
public:
    Writer(uint64_t seed, int blocks, int channels, int planes, int head, int hidden,
           bool scores = false)
        : rng_(seed) {
        convolution("stem", 3, planes, channels, 3.0f);
        for (int i = 0; i < blocks; ++i) {
            const std::string name = "block" + std::to_string(i);
            numbers<int16_t>(name + ".copy", {channels}, [&] { return 500 + below(2000); });
            convolution(name + ".first", 3, channels, channels, 0.002f);
            convolution(name + ".second", 3, channels, channels, 0.02f);
            if (i % 2) matrix(name + ".pool", 2 * channels, channels, 100.0f);
        }
        numbers<int16_t>("head.copy", {channels}, [&] { return 500 + below(2000); });
        convolution("head", 1, channels, head, 0.1f);
        matrix("policy.pool", 2 * head, head, 0.3f);
        matrix("value.hidden", 2 * head, hidden, 0.01f);
        matrix("value.outcome", hidden, 3, 0.01f);
        cells("policy", head);
        if (scores) {
            matrix("policy.pass", hidden, 1, 0.01f);
            matrix("value.score", hidden, 1, 0.1f);
            matrix("ownership.pool", 2 * head, head, 0.3f);
            cells("ownership", head);
        }
        header_ = R"({"architecture":{"blocks":)" + std::to_string(blocks) + R"(,"channels":)" +
                  std::to_string(channels) + R"(,"head_channels":)" + std::to_string(head) +
                  R"(,"hidden":)" + std::to_string(hidden) + R"(,"pooling":[)";
        std::vector<int> pooling;
        for (int i = 1; i < blocks; i += 2) pooling.push_back(i);
        header_ += listed(pooling);
        header_ += R"(]},"planes":["board")";
        for (int i = 1; i < planes; ++i) header_ += ",\"plane" + std::to_string(i) + '"';
        header_ += R"(],"heads":["policy","outcome")";
        if (scores) header_ += R"(,"pass","score","ownership")";
        header_ += "],\"tensors\":[" + tensors_ + "]}";
    }

    File file() const { return with_header(header_); }
    const std::string& header() const { return header_; }

    /// The tensors behind another header, with a matching checksum.
    File with_header(const std::string& header) const {
        File file(kStart + body_.size());
        std::memcpy(file.data(), "honteNet", 8);
        put<uint32_t>(file, 8, 1);
        put<uint32_t>(file, 12, static_cast<uint32_t>(header.size()));
        put<uint64_t>(file, 16, file.size());
        std::memcpy(file.data() + 32, header.data(), std::min(header.size(), kStart - 32));
        std::memcpy(file.data() + kStart, body_.data(), body_.size());
        seal(file);
        return file;
    }
    static void seal(File& file) { put<uint32_t>(file, 24, crc32(std::span(file).subspan(32))); }

private:
    static constexpr size_t kStart = 8192;

    static std::string listed(const std::vector<int>& numbers) {
        std::string text;
        for (const int number : numbers) {
            if (!text.empty()) text += ',';
            text += std::to_string(number);
        }
        return text;
    }
    template <class T>
    static void put(File& file, size_t at, T number) {
        std::memcpy(file.data() + at, &number, sizeof number);
    }
    int below(int n) { return static_cast<int>(rng_.below(static_cast<uint32_t>(n))); }
    float real() { return static_cast<float>(below(2001) - 1000) / 1000.0f; }

    template <class T, class Draw>
    void numbers(const std::string& name, std::vector<int> shape, Draw draw) {
        const char* const type = std::is_same_v<T, float>     ? "float32"
                                 : std::is_same_v<T, int32_t> ? "int32"
                                 : std::is_same_v<T, int16_t> ? "int16"
                                                              : "int8";
        if (!tensors_.empty()) tensors_ += ',';
        tensors_ += "{\"name\":\"" + name + "\",\"type\":\"" + type + "\",\"shape\":[";
        tensors_ += listed(shape);
        size_t count = 1;
        for (const int side : shape) count *= static_cast<size_t>(side);
        tensors_ += "],\"offset\":" + std::to_string(kStart + body_.size()) + '}';
        for (size_t i = 0; i < count; ++i) {
            const T number = static_cast<T>(draw());
            const auto bytes = std::bit_cast<std::array<uint8_t, sizeof(T)>>(number);
            body_.insert(body_.end(), bytes.begin(), bytes.end());
        }
        body_.resize((body_.size() + 63) / 64 * 64);
    }
    void convolution(const std::string& name, int side, int ins, int outs, float scale) {
        numbers<int8_t>(name + ".weights", {side, side, ins, outs},
                        [&] { return below(255) - 127; });
        numbers<int32_t>(name + ".bias", {outs}, [&] { return below(2001) - 1000; });
        numbers<float>(name + ".scale", {outs},
                       [&] { return scale * (0.5f + static_cast<float>(below(1000)) / 1000.0f); });
    }
    void cells(const std::string& name, int head) {
        numbers<int16_t>(name + ".cell.weights", {head}, [&] { return below(4000) - 2000; });
        numbers<float>(name + ".cell.scale", {1}, [] { return 1e-6f; });
        numbers<float>(name + ".cell.bias", {1}, [] { return -0.5f; });
    }
    void matrix(const std::string& name, int ins, int outs, float scale) {
        numbers<float>(name + ".weights", {ins, outs}, [&] { return scale * real(); });
        numbers<float>(name + ".bias", {outs}, [&] { return scale * real(); });
    }

    Rng rng_;
    std::string header_, tensors_;
    File body_;
};

/// Random bits on a board of random cells inside a rectangle, or of all of them.
File random_planes(Rng& rng, int batch, int columns, int rows, int planes, bool whole) {
    File bytes(static_cast<size_t>(batch * columns * rows * planes));
    for (size_t i = 0; i < bytes.size(); ++i)
        bytes[i] = i % static_cast<size_t>(planes) == 0 ? whole || rng.below(8) : rng.below(2);
    return bytes;
}

uint64_t checksum(Evaluator& evaluator, uint64_t seed, int rounds) {
    Rng rng(seed);
    const int planes = evaluator.network().layout().planes;
    uint64_t sum = 0;
    for (int round = 0; round < rounds; ++round) {
        const int columns = 1 + static_cast<int>(rng.below(round % 4 ? 13 : kMostSide));
        const int rows = 1 + static_cast<int>(rng.below(round % 4 ? 13 : kMostSide));
        const int batch = 1 + static_cast<int>(rng.below(3));
        const File bytes = random_planes(rng, batch, columns, rows, planes, rng.below(2));
        const int cells = batch * columns * rows;
        const bool scores = evaluator.network().has("score");
        std::vector<float> said(
            static_cast<size_t>(cells + 3 * batch + (scores ? cells + 2 * batch : 0)));
        float* const rest = said.data() + 3 * batch + cells;
        Outputs outputs{said.data() + 3 * batch, said.data()};
        if (scores) {
            outputs.pass = rest;
            outputs.score = rest + batch;
            outputs.ownership = rest + 2 * batch;
        }
        evaluator.evaluate(bytes.data(), batch, columns, rows, outputs);
        for (const float number : said) sum = mix(sum ^ std::bit_cast<uint32_t>(number));
    }
    return sum;
}

TEST(nets, every_kernel_on_every_architecture_says_the_same_to_the_bit) {
    struct Case {
        int blocks, channels, planes, head, hidden;
        bool scores;
        uint64_t expected;
    };
    for (const auto& [blocks, channels, planes, head, hidden, scores, expected] :
         {Case{2, 16, 10, 32, 64, false, 12618854957992691834u},
          Case{3, 20, 5, 12, 24, false, 11987454541228962899u},
          Case{1, 48, 17, 40, 16, false, 922114817596918100u},
          Case{2, 80, 4, 16, 16, false, 10937211801915233543u},
          Case{2, 64, 32, 32, 64, true, 17953015043249988961u}}) {
        const File file = Writer(7, blocks, channels, planes, head, hidden, scores).file();
        const auto network = Network::read(file);
        for (const Kernel& kernel : kernels()) {
            Evaluator evaluator(network, kernel);
            const uint64_t sum = checksum(evaluator, 11, 12);
            const check::Scene scene([&] {
                return std::string(kernel.name) + ", " + std::to_string(channels) +
                       " channels: " + std::to_string(sum);
            });
            CHECK(sum == expected);
        }
    }
}

TEST(nets, an_evaluator_forgets_the_boards_before) {
    const auto network = Network::read(Writer(7, 2, 16, 10, 16, 16).file());
    Rng rng(5);
    const File large = random_planes(rng, 1, 9, 9, 10, true);
    const File small = random_planes(rng, 1, 4, 6, 10, false);
    for (const Kernel& kernel : kernels()) {
        Evaluator used(network, kernel), fresh(network, kernel);
        float policy[81], other[24], outcome[3], again[3];
        used.evaluate(large.data(), 1, 9, 9, {policy, outcome});
        used.evaluate(small.data(), 1, 4, 6, {policy, outcome});
        fresh.evaluate(small.data(), 1, 4, 6, {other, again});
        CHECK(std::memcmp(policy, other, sizeof other) == 0);
        CHECK(std::memcmp(outcome, again, sizeof again) == 0);
    }
}

TEST(nets, a_file_that_is_cut_off_or_damaged_is_refused) {
    const File file = Writer(7, 2, 16, 4, 16, 16).file();
    for (size_t length = 0; length < file.size(); length += length < 600 ? 1 : 997)
        CHECK(check::throws<FileError>([&] { Network::read(std::span(file).first(length)); }));
    Rng rng = check::rng_for(31);
    for (int i = 0; i < 200; ++i) {
        File damaged = file;
        damaged[rng.below(static_cast<uint32_t>(file.size()))] ^= uint8_t(1u << rng.below(8));
        if (damaged[28] | damaged[29] | damaged[30] | damaged[31]) continue;  // not read
        CHECK(check::throws<FileError>([&] { Network::read(damaged); }));
    }
}

TEST(nets, a_file_whose_checksum_is_right_is_read_with_care_all_the_same) {
    const Writer writer(7, 2, 16, 4, 16, 16);
    const File file = writer.file();
    Rng rng = check::rng_for(32);
    int refused = 0;
    for (int i = 0; i < 3000; ++i) {
        File odd = file;
        for (uint32_t k = 0; k <= rng.below(3); ++k) {
            const auto at = 32 + rng.below(static_cast<uint32_t>(writer.header().size()));
            odd[at] = static_cast<uint8_t>(rng.below(2) ? '0' + rng.below(10) : rng.below(256));
        }
        Writer::seal(odd);
        try {
            Evaluator evaluator(Network::read(odd));
            checksum(evaluator, 3, 1);
        } catch (const FileError&) {
            ++refused;
        }
    }
    CHECK(refused > 1000);
    for (const char* header : {"", "{", "[]", "{}", "nul", "{\"architecture\":7}"})
        CHECK(check::throws<FileError>([&] { Network::read(writer.with_header(header)); }));
    CHECK(check::throws<FileError>(
        [&] { Network::read(writer.with_header(std::string(4000, '['))); }));
}

TEST(nets, an_unknown_kernel_is_refused_by_name) {
    CHECK(kernel("plain").name == "plain");
    CHECK(check::throws<std::invalid_argument>([] { kernel("abacus"); }));
}

}  // namespace
}  // namespace honte::nets
