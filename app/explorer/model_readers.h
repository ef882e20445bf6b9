// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/document/document_loader.h"

namespace poet {

/// The readers that need more than the window library links: ONNX files and device profiles.
[[nodiscard]] ModelReaders makeModelReaders();

}  // namespace poet
