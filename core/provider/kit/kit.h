// The whole kit for typed providers, but for server/ (the plugin program) and testing/.
//
// Who calls it: authors of providers. Invariant, cost and thread-safety: see the headers.
#pragma once
#include "core/provider/kit/modifiers.h"
#include "core/provider/kit/typed.h"
#include "core/provider/kit/validators.h"
