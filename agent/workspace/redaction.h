// Redaction: replaces secrets in text for a model by markers, and translates an edit of the
// redacted text into an edit of the real text.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "agent/models/model.h"
#include "agent/workspace/workspace.h"
#include "edits/apply/apply.h"

namespace bodkin {

// The number of secrets withheld from each file; "" stands for other text.
using Withheld = std::map<std::string, size_t, std::less<>>;
// "2 secrets in config.py and 1 elsewhere were not sent to the model."; "": there were none.
std::string words_of(const Withheld& withheld);

// A workspace as a model sees it. The lines are the same.
class RedactedWorkspace : public LayeredWorkspace {
 public:
  // Both outlive it.
  RedactedWorkspace(Workspace& below, Withheld& withheld)
      : LayeredWorkspace(below), withheld_(withheld) {}

  Result<Snapshot> read(std::string_view path, const Task& task) override;

 private:
  Withheld& withheld_;
};

// The last line of defence: redacts the remaining secrets in a request, except in the model's own
// text. Returns their number.
size_t redact(ModelRequest& request);

// `files` are the result of edits to the redacted texts of `workspace`; afterwards, the result for
// the real texts. Error, for the model: an edit would copy a secret, or write a marker.
Result<void> put_secrets_back(std::vector<ChangedFile>& files, Workspace& workspace,
                              const Task& task);

}  // namespace bodkin
