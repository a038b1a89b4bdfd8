// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "api/work.h"

#include <utility>

#include "capture/thread_name.h"

namespace iwarpscope::api {

Work::Work(std::size_t threads, std::size_t most_waiting, std::size_t most_of_one)
    : most_waiting_(most_waiting), most_of_one_(most_of_one) {
  for (std::size_t i = 0; i < threads; ++i) threads_.emplace_back([this] { run(); });
}

Work::~Work() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

bool Work::post(const std::string& client, std::function<void()> task) {
  {
    const std::lock_guard lock(mutex_);
    if (waiting_ >= most_waiting_) return false;
    Tasks& tasks = tasks_[client];
    if (tasks.size() >= most_of_one_) return false;
    if (tasks.empty()) turns_.push_back(client);
    tasks.push_back(std::move(task));
    ++waiting_;
  }
  changed_.notify_one();
  return true;
}

std::function<void()> Work::next() {
  std::string client = std::move(turns_.front());
  turns_.pop_front();
  const auto its = tasks_.find(client);
  std::function<void()> task = std::move(its->second.front());
  its->second.pop_front();
  --waiting_;
  if (its->second.empty()) {
    tasks_.erase(its);
  } else {
    turns_.push_back(std::move(client));
  }
  return task;
}

void Work::run() {
  capture::name_thread("api-answers");
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return stop_ || waiting_ != 0; });
    if (waiting_ == 0) return;
    const std::function<void()> task = next();
    lock.unlock();
    task();
    lock.lock();
  }
}

}  // namespace iwarpscope::api
