// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/document/document_state.h"
#include "widgets/document/soon.h"

#include <QWidget>

class QTextBrowser;

namespace poet {

/// The key figures of the shown plan, beside keep-all and, if one is set, the compared plan.
class SummaryPanel : public QWidget {
    Q_OBJECT
public:
    explicit SummaryPanel(DocumentState& state, QWidget* parent = nullptr);
    /// Of what is known now; done by itself only while the panel is seen.
    [[nodiscard]] QString html();

protected:
    void showEvent(QShowEvent* event) override;

private:
    void refresh();

    DocumentState& m_state;
    QTextBrowser* m_text = nullptr;
    QString m_html;  ///< as it was set
    Soon m_soon{*this, [this] { refresh(); }};
};

}  // namespace poet
