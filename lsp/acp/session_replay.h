// A session of the history as updates, for an editor that loads it.
#pragma once

#include <string>

#include "agent/history/store.h"
#include "agent/workspace/roots.h"
#include "lsp/acp/acp_client.h"

namespace bodkin::acp {

// Sends all of it: requests, words, thoughts, calls, and the outcome of each proposal.
void replay(Client& client, const std::string& session, const Roots& roots,
            const ShownSession& shown);

// An entry of session/list. `cwd`: the client's name of the folder, if it asks for one.
Json json_of(const SessionRow& row, const std::string& cwd);

}  // namespace bodkin::acp
