// Tables that searches name by number.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <stdexcept>
#include <utility>

namespace honte {

/// Tables of one kind, kept for good and numbered from 1. Searches may be running while another
/// comes: none ever moves.
template <class Table>
class Kept {
public:
    static unsigned keep(Table table) {
        auto& [tables, count] = all();
        if (count == tables.size()) throw std::length_error("too many tables of strengths");
        tables[count] = std::make_unique<const Table>(std::move(table));
        return ++count;
    }
    static const Table& table(unsigned number) { return *all().tables.at(number - 1); }

private:
    struct All {
        std::array<std::unique_ptr<const Table>, 1024> tables;
        unsigned count = 0;
    };
    static All& all() {
        static All tables;
        return tables;
    }
};

}  // namespace honte
