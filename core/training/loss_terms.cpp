// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#include "core/training/loss_terms.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace poet::training {

namespace {

std::string_view trimmed(std::string_view text)
{
    while (!text.empty() && text.front() == ' ')
        text.remove_prefix(1);
    while (!text.empty() && text.back() == ' ')
        text.remove_suffix(1);
    return text;
}

Expected<double> parseWeight(std::string_view digits)
{
    double weight = 0;
    const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), weight);
    if (code != std::errc() || end != digits.data() + digits.size() || !std::isfinite(weight) || weight <= 0)
        return fail(ErrorCode::BadUsage, "\"" + std::string(digits) + "\" is no weight of a loss.", "Give a number above 0, such as mse:0.4.");
    return weight;
}

Expected<LossTerm> parseTerm(std::string_view text)
{
    LossTerm term;
    std::string_view rest = trimmed(text);
    // Names of outputs may hold '=' and ':' themselves; kinds and weights do not.
    if (const std::size_t equals = rest.rfind('='); equals != rest.npos) {
        term.output = trimmed(rest.substr(0, equals));
        rest = trimmed(rest.substr(equals + 1));
        if (term.output.empty())
            return fail(ErrorCode::BadUsage, "\"" + std::string(text) + "\" names no output.", "Write OUTPUT=KIND, such as logits=mse.");
    }
    if (const std::size_t colon = rest.find(':'); colon != rest.npos) {
        POET_TRY(weight, parseWeight(trimmed(rest.substr(colon + 1))));
        term.weight = weight;
        rest = trimmed(rest.substr(0, colon));
    }
    term.kind = rest;
    constexpr std::string_view kKinds[] = {"cross-entropy", "bce", "mse", "none"};
    if (std::ranges::find(kKinds, rest) == std::end(kKinds))
        return fail(ErrorCode::BadUsage, "There is no loss named \"" + term.kind + "\".", "Use cross-entropy, bce, mse or none.");
    return term;
}

}  // namespace

Expected<std::vector<LossTerm>> parseLossTerms(std::string_view text)
{
    std::vector<LossTerm> terms;
    for (std::size_t start = 0; start <= text.size();) {
        const std::size_t end = std::min(text.find(',', start), text.size());
        POET_TRY(term, parseTerm(text.substr(start, end - start)));
        if (std::ranges::find(terms, term.output, &LossTerm::output) != terms.end())
            return fail(ErrorCode::BadUsage,
                        term.output.empty() ? std::string("The loss of unnamed outputs is given twice.")
                                            : "The loss of output \"" + term.output + "\" is given twice.",
                        "Give each output one loss.");
        terms.push_back(std::move(term));
        start = end + 1;
    }
    return terms;
}

}  // namespace poet::training
