// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/export/firmware/byte_stream.h"
#include "core/export/firmware/program.h"

#include <vector>

namespace poet::firmware {

/// The nodes of a stand-alone file: unit and table of tensor sizes as varints, then bits. Backward nodes come last, chains
/// read the node before, saved tensors are read in falling order, and most tensors are as large as one of their inputs:
/// all that costs one or two bits a node.
void writeNodes(ByteWriter& out, const std::vector<ProgramNode>& nodes);

/// Reads `count` nodes; false when the bits are out of range.
[[nodiscard]] bool readNodes(ByteReader in, std::size_t count, std::vector<ProgramNode>& nodes);

}  // namespace poet::firmware
