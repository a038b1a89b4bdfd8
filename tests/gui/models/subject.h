// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// What the test of every model needs of each.
#pragma once

#include <QAbstractItemModel>

namespace iwarpscope::gui::every_model_test {

/// A model, and how its rows are created.
class Subject {
 public:
  virtual ~Subject() = default;
  [[nodiscard]] virtual QAbstractItemModel& model() = 0;
  /// Sets this number of rows, whatever it had before.
  virtual void fill(int rows) = 0;
  /// One existing row changes and one row is added; if rows are only set as a whole, another whole.
  virtual void change() = 0;
  /// Removes all rows.
  virtual void reset() { fill(0); }
};

}  // namespace iwarpscope::gui::every_model_test
