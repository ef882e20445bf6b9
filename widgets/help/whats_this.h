// SPDX-FileCopyrightText: 2026 POET Explorer developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QWidget;

namespace poet {

/// Gives every control in `root` an answer to "What's this?": the text of the table here for the controls that need more
/// than a line, else the control's own tool tip. What has an answer keeps it.
void explainControls(QWidget& root);

}  // namespace poet
