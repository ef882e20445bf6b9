// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/device/device_profile.h"

#include <QString>

#include <memory>

namespace poet {

using DevicePtr = std::shared_ptr<const DeviceProfile>;

/// A device profile, by id or path, parsed once: a profile takes longer to parse than a frame may take. A file counts
/// anew when it has changed; shipped profiles do not change. Errors: those of ProfileStore::find(). Threads: any.
[[nodiscard]] Expected<DevicePtr> knownDevice(const QString& device);

}  // namespace poet
