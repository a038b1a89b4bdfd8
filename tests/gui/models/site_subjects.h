// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The models of a site as subjects of the test of every model.
#pragma once

#include <memory>
#include <string>

#include "gui/models/subject.h"
#include "iwarpscope/v1/observer.pb.h"
#include "iwarpscope/v1/status.pb.h"
#include "models/site/sensor_table.h"
#include "models/site/site_tables.h"
#include "views/site/site_view.h"

namespace iwarpscope::gui::every_model_test {

inline v1::Site made_site(int rows, std::uint64_t more = 0) {
  v1::Site site;
  site.set_bucket_ns(86'400'000'000'000);
  for (int i = 0; i < rows; ++i) {
    v1::SitePair& pair = *site.add_pairs();
    pair.set_a("10.0.0." + std::to_string(i));
    pair.set_b("10.0.1.1");
    pair.set_failed(3 + more);
    for (std::uint32_t day = 0; day < 7; ++day) pair.add_failed_by_bucket(day + static_cast<std::uint32_t>(more));
    v1::SiteNews& news = *site.add_news();
    news.set_rule(std::string(findings::rules()[static_cast<std::size_t>(i)].name));
    news.set_severity(v1::SEVERITY_ERROR);
    news.set_count(1 + more);
    v1::JoinedConnection& joined = *site.add_connections();
    joined.add_views()->set_qp(static_cast<std::uint64_t>(i));
    joined.add_sentences(more == 0 ? "Some were lost." : "More were lost.");
  }
  return site;
}

/// A table of what a centre answers about its site.
template <class Table>
class OfSite : public Subject {
 public:
  QAbstractItemModel& model() override { return model_; }
  void fill(int rows) override { show(made_site(rows_ = rows)); }
  void change() override { show(made_site(rows_, 5)); }

 private:
  void show(v1::Site&& site) {
    const auto shared = std::make_shared<const v1::Site>(std::move(site));
    if constexpr (requires { model_.show(shared, SiteQuestion{}); }) {
      model_.show(shared, SiteQuestion{});
    } else {
      model_.show(shared);
    }
  }
  int rows_ = 0;
  Table model_;
};

class OfSensors : public Subject {
 public:
  QAbstractItemModel& model() override { return model_; }
  void fill(int rows) override { show(made(rows_ = rows)); }
  void change() override {
    v1::Status status = made(rows_);
    status.mutable_sensors(0)->set_waiting(7);
    show(status);
    status.mutable_sensors(rows_ - 1)->set_silent(true);
    show(status);
  }

 protected:
  virtual void show(const v1::Status& status) { model_.show(status); }

 private:
  static v1::Status made(int rows) {
    v1::Status status;
    for (int i = 0; i < rows; ++i) status.add_sensors()->set_name("rack" + std::to_string(i));
    return status;
  }
  int rows_ = 0;
  SensorTable model_;
};

class OfSortedSensors : public OfSensors {
 public:
  QAbstractItemModel& model() override { return *view_.sensors().model(); }
  void change() override {
    OfSensors::change();
    view_.sensors().sortByColumn(0, Qt::DescendingOrder);
    OfSensors::change();
  }

 private:
  void show(const v1::Status& status) override { view_.set_status(std::make_shared<const v1::Status>(status)); }
  SiteModel site_{[](const SiteQuestion&, QObject*, const Session::Then<SitePtr>&) {}};
  SiteView view_{site_};
};

}  // namespace iwarpscope::gui::every_model_test
