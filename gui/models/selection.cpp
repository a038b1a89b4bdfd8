#include "models/selection.h"
