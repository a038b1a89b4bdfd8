// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "sctp_vm/player.h"

#include <chrono>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <thread>
#include <utility>

namespace iwarpscope::sctp_vm {

Player::Player(SctpSocket socket, Side own, std::string pauses)
    : socket_(std::move(socket)), own_(own), pauses_(std::move(pauses)) {}

SocketStream& Player::stream(std::uint16_t id) {
  std::unique_ptr<SocketStream>& one = streams_[id];
  if (!one) {
    one = std::make_unique<SocketStream>(*this, id);
    if (id != 0) one->share_memory(stream(0));
  }
  return *one;
}

void Player::receive_one() {
  const auto arrival = socket_.receive();
  if (!arrival) throw std::runtime_error("the association ended before all had come");
  stream(arrival->stream).arrived(arrival->ppid, arrival->user_data);
}

void Player::receive_all() {
  for (auto& [_, one] : streams_) one->receive_all();
}

void Player::pause() {
  receive_all();
  socket_.wait_acknowledged();
  if (own_ != Side::initiator) return;
  const std::filesystem::path folder = pauses_;
  std::ofstream(folder / "reached").close();
  while (!std::filesystem::exists(folder / "go")) std::this_thread::sleep_for(std::chrono::milliseconds(20));
  std::filesystem::remove(folder / "go");
}

void Player::fragment_at(Side side, std::uint32_t octets) {
  if (side == own_) socket_.fragment_at(octets);
}

void Player::expect_end() {
  if (socket_.receive()) throw std::runtime_error("a user message came after the last");
}

void Player::shutdown(Side side) {
  receive_all();
  if (side == own_) {
    socket_.wait_acknowledged();
    socket_.shutdown();
  }
  expect_end();
}

void Player::abort(Side side) {
  receive_all();
  if (side == own_) {
    socket_.wait_acknowledged();
    socket_.abort();
  } else {
    expect_end();
  }
}

std::vector<SessionTruth> Player::sessions() {
  std::vector<SessionTruth> all;
  for (auto& [_, one] : streams_) {
    for (SessionTruth& session : one->sessions()) all.push_back(std::move(session));
  }
  return all;
}

}  // namespace iwarpscope::sctp_vm
