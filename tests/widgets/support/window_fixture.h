// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/widgets/support/hand_made.h"
#include "tests/widgets/support/scripted.h"
#include "tests/widgets/support/test_main.h"
#include "widgets/controls/constraints_panel.h"
#include "widgets/controls/limit_slider.h"
#include "widgets/controls/model_panel.h"
#include "widgets/dag/dag_view.h"
#include "widgets/export/view_exporter.h"
#include "widgets/inspector/search_field.h"
#include "widgets/pareto/pareto_chart.h"
#include "widgets/style/text.h"
#include "widgets/teaching/lesson_panel.h"
#include "widgets/teaching/step_bar.h"
#include "widgets/timeline/timeline_view.h"
#include "widgets/window/action_registry.h"
#include "widgets/window/command_palette.h"
#include "widgets/window/main_window.h"
#include "widgets/window/message_bar.h"

#include <QComboBox>
#include <QDir>
#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QPushButton>
#include <QSet>
#include <QToolButton>
#include <memory>

/// A window with a scripted worker and a manual clock, for tests of views and of the whole window.
namespace poet::test {

using namespace Qt::StringLiterals;

class WindowFixture : public QObject {
    Q_OBJECT

protected:
    std::unique_ptr<MainWindow> m_window;
    ScriptedBackend* m_backend = nullptr;
    ScriptedBackend* m_overhead = nullptr;
    ManualTimer* m_timer = nullptr;

    static void settle()
    {
        for (int i = 0; i < 5; ++i)
            QCoreApplication::processEvents();
    }

    void makeWindow()
    {
        WindowServices services;
        m_backend = new ScriptedBackend;
        m_timer = new ManualTimer;
        services.interactive = m_backend;
        services.sweep = new ScriptedBackend;
        m_overhead = new ScriptedBackend;
        services.overhead = m_overhead;
        services.timer = m_timer;
        services.examples = {{u"Example"_s, u"A lesson"_s, u"/nowhere.onnx"_s, u"paper-a72"_s}};
        m_window = std::make_unique<MainWindow>(std::move(services));
        m_window->resize(1440, 900);
        m_window->show();
        settle();
    }

    void solveAt(std::int64_t memory)
    {
        Controls controls = m_window->state().controls();
        controls.query.memoryBytes = memory;
        m_window->state().editControls(controls, u"memory"_s);
        m_timer->fire();
        if (m_backend->isRunning())
            m_backend->answer(m_backend->requests().last());
        settle();
    }

    static QImage picture(QWidget& widget, const QString& name)
    {
        const QImage image = widget.grab().toImage().convertToFormat(QImage::Format_RGB32);
        QDir().mkpath(QStringLiteral(POET_PICTURE_DIR));
        image.save(QStringLiteral(POET_PICTURE_DIR "/") + name + u".png"_s);
        return image;
    }

    static int differentColors(const QImage& image)
    {
        QSet<QRgb> colors;
        for (int y = 0; y < image.height(); y += 2)
            for (int x = 0; x < image.width(); x += 2)
                colors.insert(image.pixel(x, y));
        return static_cast<int>(colors.size());
    }

    static bool isNear(const QColor& a, const QColor& b, int tolerance = 24)
    {
        return std::abs(a.red() - b.red()) <= tolerance && std::abs(a.green() - b.green()) <= tolerance && std::abs(a.blue() - b.blue()) <= tolerance;
    }

private Q_SLOTS:
    void init()
    {
        QApplication::setPalette(style::lightPalette());
        makeWindow();
    }
    void cleanup() { m_window.reset(); }
};

}  // namespace poet::test
