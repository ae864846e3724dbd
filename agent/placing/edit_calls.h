// EditCalls: edits in JSON of any of the known shapes, as one list of calls.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "agent/placing/tool_edit.h"
#include "edits/plan/failure.h"
#include "edits/plan/plan.h"

namespace bodkin {

inline std::unexpected<Failure> malformed(std::string what, std::string advice = {}) {
  return failure(FailureKind::malformed, std::move(what), std::move(advice));
}

class EditCalls {
 public:
  struct Call {
    ToolArguments arguments;
    std::string path;     // its own, or the enclosing one's
    std::string patch;    // if not empty: the edit is this text
    std::string problem;  // if not empty: what is wrong with it
    bool names_file = false;
  };

  // `path`: of edits that name none; `tool`: the name of the call, if it has one.
  void add(const nlohmann::json& edit, const std::string& path, const std::string& tool = {});

  std::vector<Call> calls;

 private:
  void add_object(const nlohmann::json& edit, const std::string& path, const std::string& tool);
};

// Whether it is an edit, and complete.
bool is_certain(const EditCalls::Call& call);

// Adds what the call changes. `name`: for messages, "edit 2"; `source_line`: of the reply, from 1.
FailureOr<void> add_call(const EditCalls::Call& call, const std::string& name, size_t source_line,
                         EditPlan& plan);

}  // namespace bodkin
