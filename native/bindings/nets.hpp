// A network as Python holds it.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "nets/evaluator.hpp"

namespace honte::bindings {

/// A network with working memory for as many threads as have evaluated at the same time.
class SharedNetwork {
public:
    SharedNetwork(std::shared_ptr<const nets::Network> network, const nets::Kernel& kernel)
        : network_(std::move(network)), kernel_(kernel) {}

    const nets::Network& network() const { return *network_; }
    const std::shared_ptr<const nets::Network>& share() const { return network_; }
    std::string kernel() const { return std::string(kernel_.name); }

    void evaluate(const uint8_t* planes, int batch, int columns, int rows,
                  const nets::Outputs& outputs) {
        auto evaluator = take();
        evaluator->evaluate(planes, batch, columns, rows, outputs);
        const std::lock_guard lock(mutex_);
        idle_.push_back(std::move(evaluator));
    }

private:
    std::unique_ptr<nets::Evaluator> take() {
        {
            const std::lock_guard lock(mutex_);
            if (!idle_.empty()) {
                auto evaluator = std::move(idle_.back());
                idle_.pop_back();
                return evaluator;
            }
        }
        return std::make_unique<nets::Evaluator>(network_, kernel_);
    }

    std::shared_ptr<const nets::Network> network_;
    const nets::Kernel& kernel_;
    std::mutex mutex_;
    std::vector<std::unique_ptr<nets::Evaluator>> idle_;
};

}  // namespace honte::bindings
