// The names of agent/rpc without their namespace, for all of lsp/.
#pragma once

#include "agent/rpc/connection.h"

namespace bodkin::lsp {

using namespace rpc;
using rpc::Reply;  // not that of edits/formats

}  // namespace bodkin::lsp
