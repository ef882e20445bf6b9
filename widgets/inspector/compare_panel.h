// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/document/document_loader.h"
#include "widgets/document/document_state.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QPushButton;
class QTableWidget;

namespace poet {

/// One line of a comparison.
struct ComparedFigure {
    QString name;
    QString a;
    QString b;
    QString difference;  ///< "+12 %"; empty when equal
};

/// What two problems need and cost. `schedule`: a plan of A; when B has the same nodes, it is replayed there, too.
[[nodiscard]] std::vector<ComparedFigure> compareProblems(const Problem& a, const Problem& b, const Plan* plan);

/// The open model beside itself on another device, or beside another model on the same device; differences marked.
class ComparePanel : public QWidget {
    Q_OBJECT
public:
    ComparePanel(DocumentState& state, const ModelReaders& readers, QWidget* parent = nullptr);

    void compareWithDevice(const QString& device);
    void compareWithModel(const QString& path);
    [[nodiscard]] const std::vector<ComparedFigure>& figures() const { return m_figures; }
    [[nodiscard]] QString note() const;

private:
    void show();
    void askModel();

    DocumentState& m_state;
    DocumentLoader m_loader;
    QComboBox* m_device = nullptr;
    QPushButton* m_model = nullptr;
    QTableWidget* m_table = nullptr;
    QLabel* m_note = nullptr;
    ProblemPtr m_other;
    std::vector<ComparedFigure> m_figures;
};

}  // namespace poet
