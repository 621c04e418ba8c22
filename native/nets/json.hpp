// Just enough JSON to read the header of a network file.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace honte::nets {

/// A JSON value. Reading one that is missing or of another type throws FileError.
class Json {
public:
    using List = std::vector<Json>;
    using Object = std::vector<std::pair<std::string, Json>>;

    /// Throws FileError if the text is not a single JSON value, or is nested too deep.
    static Json parse(std::string_view text);

    const Json& operator[](std::string_view name) const;
    const List& list() const;
    const std::string& string() const;
    int64_t integer(int64_t least, int64_t most) const;

private:
    friend class JsonReader;
    std::variant<std::nullptr_t, bool, double, std::string, List, Object> value_;
};

}  // namespace honte::nets
