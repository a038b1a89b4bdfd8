#pragma once

#include "api.h"
#include "tests.h"
