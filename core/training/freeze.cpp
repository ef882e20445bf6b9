// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/training/builder.h"

#include <algorithm>
#include <charconv>
#include <set>

namespace poet::training {

bool matchesPattern(std::string_view pattern, std::string_view text)
{
    // Greedy with one point of return: the last star.
    std::size_t p = 0, t = 0, star = std::string_view::npos, resume = 0;
    while (t < text.size()) {
        if (p < pattern.size() && (pattern[p] == '?' || (pattern[p] == text[t] && pattern[p] != '*'))) {
            ++p;
            ++t;
        } else if (p < pattern.size() && pattern[p] == '*') {
            star = p++;
            resume = t;
        } else if (star != std::string_view::npos) {
            p = star + 1;
            t = ++resume;
        } else {
            return false;
        }
    }
    while (p < pattern.size() && pattern[p] == '*')
        ++p;
    return p == pattern.size();
}

namespace {

/// How the operations use a parameter.
struct Use {
    bool asBias = false;
    bool inNorm = false;
    std::set<std::size_t> layers;  ///< operations
};

bool isNorm(const ForwardOp& op) { return op.type.find("Normalization") != std::string::npos || op.type == "GroupNorm"; }

bool isBiasSlot(const ForwardOp& op, std::size_t slot)
{
    if (op.type == "Conv" || op.type == "ConvTranspose" || op.type == "Gemm" || isNorm(op))
        return slot == 2;
    if (op.type == "LSTM" || op.type == "GRU" || op.type == "RNN")
        return slot == 3;
    return op.type == "Add";
}

/// Uses by parameter; a rearranged weight counts for the stored weights that it is made of.
std::map<int, Use> findUses(const ForwardGraph& forward, const std::map<ValueId, int>& parameterOf)
{
    std::vector<std::set<int>> roots(forward.values.size());
    for (const auto& [value, parameter] : parameterOf)
        roots[at(value)] = {parameter};
    std::map<int, Use> uses;
    for (std::size_t i = 0; i < forward.ops.size(); ++i) {
        const ForwardOp& op = forward.ops[i];
        for (std::size_t slot = 0; slot < op.inputs.size(); ++slot) {
            if (op.inputs[slot] == kNoValue)
                continue;
            const std::set<int> own = roots[at(op.inputs[slot])];
            for (const int parameter : own) {
                if (op.isWeightArithmetic) {
                    for (const ValueId output : op.outputs)
                        if (output != kNoValue)
                            roots[at(output)].insert(parameter);
                    continue;
                }
                Use& use = uses[parameter];
                use.asBias = use.asBias || isBiasSlot(op, slot);
                use.inNorm = use.inNorm || isNorm(op);
                use.layers.insert(i);
            }
        }
    }
    return uses;
}

Expected<void> keepLast(std::string_view digits, const std::map<int, Use>& uses, TrainingGraph& out)
{
    std::size_t count = 0;
    const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), count);
    if (code != std::errc() || end != digits.data() + digits.size() || count == 0)
        return fail(ErrorCode::BadUsage, "\"last:" + std::string(digits) + "\" does not say how many layers are trained.",
                    "Write last:K with K at least 1.");
    std::set<std::size_t> layers;
    for (const auto& [parameter, use] : uses)
        if (out.parameters[at(parameter)].isTrained)
            layers.insert(use.layers.begin(), use.layers.end());
    const std::vector<std::size_t> ordered(layers.begin(), layers.end());
    const std::size_t first = ordered.size() > count ? ordered[ordered.size() - count] : 0;
    for (std::size_t parameter = 0; parameter < out.parameters.size(); ++parameter) {
        const auto use = uses.find(static_cast<int>(parameter));
        if (use == uses.end() || use->second.layers.empty() || *use->second.layers.rbegin() < first)
            out.parameters[parameter].isTrained = false;
    }
    return {};
}

Expected<void> freezeMatching(const std::string& pattern, TrainingGraph& out)
{
    bool matched = false;
    for (TrainingParameter& parameter : out.parameters) {
        if (!matchesPattern(pattern, parameter.name))
            continue;
        matched = matched || !parameter.isBuffer;
        parameter.isTrained = false;
    }
    if (matched)
        return {};
    const std::string example = out.parameters.empty() ? "" : " such as \"" + out.parameters.front().name + "\"";
    return fail(ErrorCode::BadUsage, "No parameter matches the freeze pattern \"" + pattern + "\".",
                "Use names" + example + " with * and ?, or biases-only, norm-only, last:K.");
}

}  // namespace

Expected<void> applyFreeze(const ForwardGraph& forward, const TrainingOptions& options, TrainingGraph& out,
                           const std::map<ValueId, int>& parameterOf)
{
    const std::map<int, Use> uses = options.freeze.empty() ? std::map<int, Use>{} : findUses(forward, parameterOf);
    for (const std::string& rule : options.freeze) {
        if (rule == "biases-only" || rule == "norm-only") {
            for (std::size_t parameter = 0; parameter < out.parameters.size(); ++parameter) {
                const auto use = uses.find(static_cast<int>(parameter));
                const bool isKept = use != uses.end() && (rule == "norm-only" ? use->second.inNorm : use->second.asBias);
                out.parameters[parameter].isTrained = out.parameters[parameter].isTrained && isKept;
            }
        } else if (rule.starts_with("last:")) {
            POET_CHECK(keepLast(std::string_view(rule).substr(5), uses, out));
        } else {
            POET_CHECK(freezeMatching(rule, out));
        }
    }
    if (std::ranges::none_of(out.parameters, &TrainingParameter::isTrained))
        return fail(ErrorCode::BadModel, "Nothing is left to train: the model has no trainable parameter, or all are frozen.",
                    "Export the model with its weights as parameters, or freeze less.");
    return {};
}

}  // namespace poet::training
