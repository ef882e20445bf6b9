// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/controls/training_fields.h"

#include "widgets/controls/field_parts.h"

#include <QComboBox>
#include <QFormLayout>
#include <QLineEdit>

#include <algorithm>

namespace poet {

using namespace Qt::StringLiterals;

TrainingFields::TrainingFields(QWidget* parent) : QWidget(parent)
{
    createFields();
    auto* form = new QFormLayout(this);
    form->setContentsMargins(0, 0, 0, 0);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    form->setRowWrapPolicy(QFormLayout::WrapLongRows);
    form->addRow(tr("Dimensions"), m_dims);
    form->addRow(tr("Data inputs"), m_data);
    form->addRow(tr("Loss"), m_loss);
    form->addRow(tr("Losses of outputs"), m_losses);
    form->addRow(tr("Optimizer"), m_optimizer);
    form->addRow(tr("Frozen"), m_freeze);
    form->addRow(tr("Type"), m_type);
    form->addRow(tr("Backward keeps"), m_keep);
    for (QComboBox* box : {m_loss, m_optimizer, m_type, m_keep})
        connect(box, &QComboBox::activated, this, &TrainingFields::edited);
    for (QLineEdit* field : {m_dims, m_data, m_losses, m_freeze})
        whenEdited(field, this, [this] { Q_EMIT edited(); });
}

void TrainingFields::createFields()
{
    m_dims = textField(u"dimsField"_s, tr("Dimensions"), tr("batch=1"), tr("Values of symbolic dimensions, such as batch=8, sequence=128"));
    m_data = textField(u"dataField"_s, tr("Data inputs"), tr("found by name"), tr("Inputs that are data and not weights, where their names do not tell"));
    m_loss = choiceBox(u"lossBox"_s, tr("Loss"), tr("cross-entropy from logits, bce for yes or no, mse for numbers; none: the model's outputs are losses already"));
    m_loss->addItems({u"cross-entropy"_s, u"bce"_s, u"mse"_s, u"none"_s});
    m_losses = textField(u"lossesField"_s, tr("Losses of outputs"), tr("all alike"), {});
    setOutputs({});
    m_optimizer = choiceBox(u"optimizerBox"_s, tr("Optimizer"), tr("sgd updates at once and keeps no gradient; adam keeps two numbers for each weight"));
    m_optimizer->addItems({u"sgd"_s, u"sgd-buffered"_s, u"momentum"_s, u"adam"_s});
    m_freeze = textField(u"freezeField"_s, tr("Frozen layers"), tr("none"),
                         tr("What is not trained: patterns of parameter names such as features.*, or last:2 (train the last two layers only), biases-only, norm-only"));
    m_type = choiceBox(u"typeBox"_s, tr("Element type"), tr("Type of activations and weights; f16 and bf16 halve the memory"));
    m_type->addItem(tr("as in the file"), QString());
    for (const QString& type : {u"f32"_s, u"f16"_s, u"bf16"_s})
        m_type->addItem(type, type);
    m_keep = choiceBox(u"keepBox"_s, tr("What backward finds kept"), tr("What gradients need, as exported firmware runs it; or what eager PyTorch keeps, to compare with measurements there"));
    m_keep->addItem(tr("what it needs"), QString());
    m_keep->addItem(tr("as PyTorch"), u"pytorch"_s);
}

void TrainingFields::setOutputs(const QStringList& names)
{
    const QString help = tr("A loss for each output, with a weight if it is not 1: logits=cross-entropy, box=mse:0.5; outputs that are not named are not trained");
    m_losses->setToolTip(names.isEmpty() ? help : help + u'\n' + tr("Outputs: %1").arg(names.join(u", "_s)));
}

void TrainingFields::showSetup(const ModelSetup& setup)
{
    m_dims->setText(setup.dims.join(u' '));
    m_data->setText(setup.data.join(u' '));
    const int common = m_loss->findText(setup.loss);
    m_loss->setCurrentIndex(std::max(0, common));
    m_loss->setEnabled(common >= 0);
    m_losses->setText(common < 0 ? setup.loss : QString());
    m_optimizer->setCurrentText(setup.optimizer);
    m_freeze->setText(setup.freeze.join(u' '));
    m_type->setCurrentIndex(std::max(0, m_type->findData(setup.type)));
    m_keep->setCurrentIndex(std::max(0, m_keep->findData(setup.keep)));
}

void TrainingFields::fill(ModelSetup& setup) const
{
    setup.dims = listed(m_dims->text());
    setup.data = listed(m_data->text());
    const QStringList losses = listed(m_losses->text());
    setup.loss = losses.isEmpty() ? m_loss->currentText() : losses.join(u',');
    setup.optimizer = m_optimizer->currentText();
    setup.freeze = listed(m_freeze->text());
    setup.type = m_type->currentData().toString();
    setup.keep = m_keep->currentData().toString();
}

}  // namespace poet
