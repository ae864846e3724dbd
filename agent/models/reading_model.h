// Reads the contents of a model's reply, however it was written: thoughts, words and calls become
// blocks (agent/replies).
#pragma once

#include <memory>

#include "agent/models/model.h"

namespace bodkin {

// Thoughts in the text become thinking blocks, calls of the request's tools in it become calls, and
// the names and arguments of all calls are cleaned. What streams is words or thoughts already.
// After a server has refused tools, has_tools() is false.
std::unique_ptr<Model> reading_model(std::unique_ptr<Model> model);

// The same for a whole reply.
void read_reply(ModelReply& reply, const std::vector<ToolSpec>& tools);

}  // namespace bodkin
