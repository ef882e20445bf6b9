// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/document/document_loader.h"
#include "widgets/document/document_state.h"
#include "widgets/document/soon.h"
#include "widgets/export/sheet.h"
#include "widgets/inspector/differences.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QTableView;

namespace poet {

class CurvePair;
class DeviceBox;
class DifferencesModel;

/// Two things side by side, what differs marked: the shown plan (A) and the pinned one (B); the open model and the same on
/// another device; the open model and another one.
class ComparePanel : public QWidget {
    Q_OBJECT
public:
    enum What { Plans, Devices, Models };

    ComparePanel(DocumentState& state, const ModelReaders& readers, QWidget* parent = nullptr);

    void compareWithDevice(const QString& device);
    void compareWithModel(const QString& path);
    void comparePlanWithPinned();
    /// Makes figures() and details() those of what is open now; done by itself only while the panel is seen.
    void catchUp() { m_soon.now(); }
    [[nodiscard]] What what() const;
    /// Key figures of both.
    [[nodiscard]] const std::vector<ComparedFigure>& figures() const { return m_figures; }
    /// Decisions, numbers or operators that differ.
    [[nodiscard]] const std::vector<ComparedFigure>& details() const { return m_details; }
    [[nodiscard]] QString note() const;
    /// All rows of both tables, and the curves as they stand in a picture of that size; in the light palette.
    [[nodiscard]] Sheet sheet();

protected:
    void showEvent(QShowEvent* event) override;

private:
    void build(const ModelReaders& readers);
    void refresh() { m_soon.ask(); }
    void compare();
    void choose(What what);
    void readDevices();
    void showCurves();
    void askModel();
    void openDetail(int row);

    DocumentState& m_state;
    DocumentLoader m_loader;
    QComboBox* m_what = nullptr;
    DeviceBox* m_device = nullptr;
    QLabel* m_note = nullptr;
    CurvePair* m_curves = nullptr;
    DifferencesModel* m_figureRows = nullptr;
    DifferencesModel* m_detailRows = nullptr;
    QTableView* m_table = nullptr;
    QTableView* m_detailTable = nullptr;
    QLabel* m_detailTitle = nullptr;
    ProblemPtr m_other;    ///< null: not read yet
    Soon m_soon{*this, [this] { compare(); }};
    std::vector<ComparedFigure> m_figures;
    std::vector<ComparedFigure> m_details;
};

}  // namespace poet
