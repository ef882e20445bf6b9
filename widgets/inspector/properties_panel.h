// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/document/document_state.h"

#include <QWidget>

class QTextBrowser;

namespace poet {

/// The selected node, tensor or event, or what is in RAM at an instant. Ends of every edge are links.
class PropertiesPanel : public QWidget {
    Q_OBJECT
public:
    explicit PropertiesPanel(DocumentState& state, QWidget* parent = nullptr);
    /// Lists what is in RAM while a step runs, largest first.
    void showInstant(int step);
    /// Shows an explanation until the selection changes; a link leads back.
    void showHtml(const QString& html);
    [[nodiscard]] QString html() const;

Q_SIGNALS:
    void whyAsked(poet::NodeId node);

private:
    void refresh();
    void follow(const QUrl& link);
    [[nodiscard]] QString nodeHtml(NodeId node) const;
    [[nodiscard]] QString instantHtml(int step) const;
    [[nodiscard]] QString linkTo(NodeId node) const;

    DocumentState& m_state;
    QTextBrowser* m_text = nullptr;
    int m_instant = -1;
};

}  // namespace poet
