// Imports the names of agent/rpc into bodkin::lsp.
#pragma once

#include "agent/rpc/connection.h"

namespace bodkin::lsp {

using namespace rpc;
using rpc::Reply;  // not that of edits/formats

}  // namespace bodkin::lsp
