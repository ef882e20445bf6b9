// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>
#include <QPointer>
#include <QThreadPool>

#include <memory>
#include <type_traits>
#include <utility>

namespace poet {

/// Runs `work` on a thread of `pool` and then `then` with its result in the GUI thread, unless `receiver` is gone by
/// then. `work` takes values and returns one: it must not touch widgets, the document or anything that changes. Order of
/// answers is that of the pool; who asks twice counts his questions.
template <class Work, class Then>
void runBeside(QObject* receiver, Work work, Then then, QThreadPool* pool = QThreadPool::globalInstance())
{
    pool->start([receiver = QPointer<QObject>(receiver), work = std::move(work), then = std::move(then)]() mutable {
        using Result = std::invoke_result_t<Work&>;
        auto result = std::make_shared<Result>(work());
        QMetaObject::invokeMethod(
            qApp,
            [receiver, then = std::move(then), result]() mutable {
                if (receiver)
                    then(std::move(*result));
            },
            Qt::QueuedConnection);
    });
}

}  // namespace poet
