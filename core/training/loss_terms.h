// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"

#include <string>
#include <string_view>
#include <vector>

namespace poet::training {

/// One part of what `--loss` says: how one output, or every other output, is trained.
struct LossTerm {
    std::string output;   ///< name of the model's output; empty: every output that no other term names
    std::string kind;     ///< cross-entropy, bce, mse, none
    double weight = 1;    ///< factor of this loss in the sum, > 0
};

/// Reads `[OUTPUT=]KIND[:WEIGHT]`, several with commas between: "mse", "logits=cross-entropy,aux=mse:0.4". Blanks do not
/// count. With only named terms, other outputs take no part. Errors: BadUsage naming the part that is wrong.
[[nodiscard]] Expected<std::vector<LossTerm>> parseLossTerms(std::string_view text);

}  // namespace poet::training
