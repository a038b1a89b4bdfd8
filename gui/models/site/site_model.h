// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// What a centre knows of its site over days, asked again and again while its page is shown.
#pragma once

#include <QObject>
#include <QTimer>

#include <functional>
#include <optional>

#include "session/session.h"

namespace iwarpscope::gui {

class SiteModel : public QObject {
  Q_OBJECT

 public:
  /// As Session::ask_site().
  using AskSite = std::function<void(const SiteQuestion&, QObject*, Session::Then<SitePtr>)>;
  static constexpr int kEveryMs = 30'000;

  explicit SiteModel(AskSite ask, QObject* parent = nullptr);
  /// While it is watched, the centre is asked every kEveryMs; at once if the last answer is older, or a failure.
  void set_watched(bool watched);
  /// The centre can be asked again: a failure does not stay until the next time.
  void set_connected();
  /// Another question is asked at once. The answer to the one before stays until that to this one has come.
  void set_question(const SiteQuestion& question);
  void ask_now();

  /// The last answer, and what was asked. Null: none has come.
  [[nodiscard]] const SitePtr& site() const noexcept { return site_; }
  [[nodiscard]] const SiteQuestion& answered() const noexcept { return answered_; }
  /// When the last answer came, by the clock of this machine.
  [[nodiscard]] std::optional<TimePoint> answered_at() const noexcept { return answered_at_; }
  /// Why the last question has no answer; empty: it has one, or none was asked.
  [[nodiscard]] const QString& trouble() const noexcept { return trouble_; }
  [[nodiscard]] bool is_asking() const noexcept { return asking_; }

 signals:
  void changed();

 private:
  void take(const SiteQuestion& question, const tl::expected<SitePtr, api::Failure>& answer);

  const AskSite ask_;
  SiteQuestion question_, answered_;
  SitePtr site_;
  std::optional<TimePoint> answered_at_;
  QString trouble_;
  bool watched_ = false, asking_ = false;
  QTimer timer_;  ///< until it is asked again
};

}  // namespace iwarpscope::gui
