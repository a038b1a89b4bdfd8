// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

#include <grpcpp/grpcpp.h>

#include "iwarpscope/v1/control.grpc.pb.h"
#include "iwarpscope/v1/observer.grpc.pb.h"
#include "standard.h"
