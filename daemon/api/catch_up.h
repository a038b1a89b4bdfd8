// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// What a subscriber missed, page by page, and then its subscription.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "live/directory.h"

namespace iwarpscope::api {

class Work;

/// Reads the records after a place on threads of a Work, so that other subscribers do not wait for it. For one thread.
class CatchUp {
 public:
  struct From {
    std::uint64_t after = 0;               ///< sequence of the last record that the client has
    std::optional<std::string> other_run;  ///< that of the client's place, if it is not this one
  };
  /// `client`: whose share of the threads it takes.
  CatchUp(live::Directory& directory, Work& work, std::string client, live::Wanted wanted, From from)
      : page_(std::make_shared<Page>(directory, std::move(wanted), std::move(from))),
        work_(work),
        client_(std::move(client)) {}
  ~CatchUp() { page_->is_gone = true; }
  CatchUp(const CatchUp&) = delete;
  CatchUp& operator=(const CatchUp&) = delete;

  struct Failed {
    std::string sentence;
    bool is_wrong = false;  ///< the place or the sensor does not exist: another attempt is in vain
  };
  using Answer = tl::expected<live::Resumed, Failed>;
  /// Asks for the next page, of so many records at most. False: no thread is free for it now.
  [[nodiscard]] bool ask(std::size_t records);
  [[nodiscard]] bool is_asked() const noexcept { return is_asked_; }
  /// The page that was asked for, if it is there. The last one has a subscription: then this is over.
  [[nodiscard]] std::optional<Answer> take();

 private:
  /// Shared with the thread that reads, which may live longer.
  struct Page {
    Page(live::Directory& its_directory, live::Wanted its_wanted, From from)
        : directory(its_directory),
          wanted(std::move(its_wanted)),
          other_run(std::move(from.other_run)),
          after(from.after) {}
    void read();
    /// Why nothing can be sent; empty: something can.
    [[nodiscard]] std::string trouble() const;

    live::Directory& directory;
    const live::Wanted wanted;
    const std::optional<std::string> other_run;
    std::atomic<bool> is_gone{false};
    std::mutex mutex;  ///< of the rest
    std::uint64_t after;
    bool is_checked = false;  ///< trouble() was asked
    std::size_t records = 0;  ///< at most
    std::optional<Answer> answer;
  };
  std::shared_ptr<Page> page_;
  Work& work_;
  std::string client_;
  bool is_asked_ = false;
};

}  // namespace iwarpscope::api
