// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/device/device_cache.h"

#include "core/device/profile_store.h"

#include <QDateTime>
#include <QFileInfo>
#include <QHash>
#include <QMutex>

#include <utility>

namespace poet {

namespace {

struct CachedDevice {
    DevicePtr profile;
    QDateTime modified;  ///< invalid for shipped profiles
    qint64 bytes = 0;
};

QMutex& cacheLock()
{
    static QMutex lock;
    return lock;
}

QHash<QString, CachedDevice>& cache()
{
    static QHash<QString, CachedDevice> devices;
    return devices;
}

}  // namespace

Expected<DevicePtr> knownDevice(const QString& device)
{
    const QFileInfo file(device);  // an id names no file, or not the one that is meant
    const bool isFile = device.contains(QLatin1Char('/')) || device.endsWith(QLatin1String(".json"));
    const QDateTime modified = isFile ? file.lastModified() : QDateTime();
    const qint64 bytes = isFile ? file.size() : 0;
    {
        const QMutexLocker locked(&cacheLock());
        const auto found = cache().constFind(device);
        if (found != cache().constEnd() && found->modified == modified && found->bytes == bytes)
            return found->profile;
    }
    POET_TRY(read, ProfileStore().find(device.toStdString()));
    auto profile = std::make_shared<const DeviceProfile>(std::move(read.profile));
    const QMutexLocker locked(&cacheLock());
    cache().insert(device, {profile, modified, bytes});
    return profile;
}

}  // namespace poet
