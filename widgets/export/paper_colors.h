// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/style/colors.h"

#include <QGraphicsScene>
#include <QWidget>

namespace poet {

/// Exports are for paper: while this lives, a view (and the scene that it shows) is drawn in the light palette. Afterwards
/// it follows the application's palette again, so that a later change of appearance still reaches it.
class PaperColors {
public:
    explicit PaperColors(QWidget& view, QGraphicsScene* scene = nullptr) : m_view(view), m_scene(scene)
    {
        m_view.setPalette(style::lightPalette());
        if (m_scene)
            m_scene->setPalette(style::lightPalette());
    }
    ~PaperColors()
    {
        m_view.setPalette({});
        if (m_scene)
            m_scene->setPalette({});
    }
    Q_DISABLE_COPY_MOVE(PaperColors)

private:
    QWidget& m_view;
    QGraphicsScene* m_scene;
};

}  // namespace poet
