// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Roles that all tables of a site have.
#pragma once

#include <Qt>

namespace iwarpscope::gui {

enum SiteRole : int {
  site_key_role = Qt::UserRole + 1,  ///< QString: of the row, which keeps it when others come or go
  site_severity_role,                ///< int(findings::Severity) of the cell; invalid: nothing is wrong
  site_share_role,  ///< of a cell of the matrix: failures as a share of the most in one cell, 0 to 1; invalid: none
};

}  // namespace iwarpscope::gui
