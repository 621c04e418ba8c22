#include "nets/json.hpp"

#include <cmath>

#include "nets/network.hpp"

namespace honte::nets {

class JsonReader {
public:
    explicit JsonReader(std::string_view text) : text_(text) {}

    Json whole() {
        Json json = value(0);
        skip_spaces();
        if (at_ != text_.size()) fail();
        return json;
    }

private:
    static constexpr int kDeepest = 16;

    [[noreturn]] static void fail() { throw FileError("its header is not JSON"); }
    char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
    void skip_spaces() {
        while (peek() == ' ' || peek() == '\n' || peek() == '\t' || peek() == '\r') ++at_;
    }
    bool take(char c) {
        skip_spaces();
        if (peek() != c) return false;
        ++at_;
        return true;
    }
    bool take(std::string_view word) {
        if (text_.substr(at_, word.size()) != word) return false;
        at_ += word.size();
        return true;
    }

    Json value(int depth) {
        if (depth > kDeepest) fail();
        skip_spaces();
        Json json;
        if (take('{')) {
            json.value_ = object(depth);
        } else if (take('[')) {
            json.value_ = list(depth);
        } else if (peek() == '"') {
            json.value_ = string();
        } else if (take("true")) {
            json.value_ = true;
        } else if (take("false")) {
            json.value_ = false;
        } else if (!take("null")) {
            json.value_ = number();
        }
        return json;
    }

    /// Exact for integers; other numbers are notes about the training, never computed with.
    double number() {
        const double sign = take("-") ? -1.0 : 1.0;
        double result = 0, exponent = 0;
        const auto digits = [&](double& to, double shift) {
            const size_t from = at_;
            for (; peek() >= '0' && peek() <= '9'; ++at_, exponent += shift)
                to = 10 * to + (peek() - '0');
            if (at_ == from) fail();
        };
        digits(result, 0);
        if (take(".")) digits(result, -1);
        if (take("e") || take("E")) {
            const double direction = take("-") ? -1.0 : 1.0;
            if (direction > 0) take("+");
            double power = 0;
            digits(power, 0);
            exponent += direction * power;
        }
        result *= std::pow(10.0, exponent);
        if (!std::isfinite(result)) fail();
        return sign * result;
    }

    Json::Object object(int depth) {
        Json::Object members;
        if (take('}')) return members;
        do {
            skip_spaces();
            std::string name = string();
            if (!take(':')) fail();
            members.emplace_back(std::move(name), value(depth + 1));
        } while (take(','));
        if (!take('}')) fail();
        return members;
    }

    Json::List list(int depth) {
        Json::List items;
        if (take(']')) return items;
        do items.push_back(value(depth + 1));
        while (take(','));
        if (!take(']')) fail();
        return items;
    }

    /// Only escaped quotes and backslashes are decoded: names of planes and tensors need no other
    /// escapes.
    std::string string() {
        if (peek() != '"') fail();
        ++at_;
        std::string result;
        for (;; ++at_) {
            if (at_ >= text_.size()) fail();
            if (peek() == '"') break;
            if (peek() == '\\' && at_ + 1 < text_.size()) {
                ++at_;
                if (peek() != '"' && peek() != '\\') result += '\\';
            }
            result += peek();
        }
        ++at_;
        return result;
    }

    std::string_view text_;
    size_t at_ = 0;
};

Json Json::parse(std::string_view text) { return JsonReader(text).whole(); }

const Json& Json::operator[](std::string_view name) const {
    if (const auto* members = std::get_if<Object>(&value_))
        for (const auto& [key, json] : *members)
            if (key == name) return json;
    throw FileError("its header has no \"" + std::string(name) + '"');
}

const Json::List& Json::list() const {
    if (const auto* items = std::get_if<List>(&value_)) return *items;
    throw FileError("its header has something else where a list belongs");
}

const std::string& Json::string() const {
    if (const auto* text = std::get_if<std::string>(&value_)) return *text;
    throw FileError("its header has something else where a name belongs");
}

int64_t Json::integer(int64_t least, int64_t most) const {
    if (const auto* number = std::get_if<double>(&value_))
        if (*number >= static_cast<double>(least) && *number <= static_cast<double>(most) &&
            *number == std::floor(*number))
            return static_cast<int64_t>(*number);
    throw FileError("its header has no whole number from " + std::to_string(least) + " to " +
                    std::to_string(most) + " where one belongs");
}

}  // namespace honte::nets
