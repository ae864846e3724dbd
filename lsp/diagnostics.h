// What the editor knows of its files' problems, as our clients pass it on
// (bodkin/didChangeDiagnostics), and when that can be believed. Silence is not "clean".
// Main thread only.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "agent/workspace.h"
#include "lsp/documents.h"
#include "lsp/event_loop.h"

namespace bodkin::lsp {

// A problem without its place: what stays the same when lines move.
struct Problem {
  std::string message, code, source;
  int severity = 1;
  friend auto operator<=>(const Problem&, const Problem&) = default;
};
using Problems = std::multiset<Problem>;

Problem problem_of(const Json& diagnostic);
bool is_own(const Json& diagnostic);  // bodkin's own come back through every way
// In bytes of `text`; own ones are left out.
std::vector<Diagnostic> diagnostics_of(const Json& list, const Text& text, Encoding encoding);

class DiagnosticsBridge {
 public:
  DiagnosticsBridge(EventLoop& loop, const Documents& documents)
      : loop_(loop), documents_(documents) {}

  void receive(const DiagnosticsParams& params);
  bool has_heard() const { return !files_.empty(); }
  Diagnostics current(const std::string& uri) const;
  const Json& raw(const std::string& uri) const;  // an array
  Problems problems() const;                      // of all files: errors and warnings

  // Calls `settled` once: `fresh` when each of the files was heard of in its version of now and it
  // was quiet for 300 ms since, else `unknown` at the deadline.
  void settle(std::vector<std::string> uris, std::chrono::milliseconds deadline,
              std::function<void(Freshness)> settled);

 private:
  struct File {
    Json list = Json::array();
    std::optional<int64_t> version;
    uint64_t heard = 0;  // when, in messages
  };
  struct Wait {
    std::vector<std::string> uris;
    uint64_t since = 0;
    std::function<void(Freshness)> settled;
  };
  bool is_heard(const Wait& wait) const;

  EventLoop& loop_;
  const Documents& documents_;
  std::map<std::string, File> files_;  // by path
  std::map<int, Wait> waits_;
  uint64_t count_ = 0;
  int next_wait_ = 0;
};

}  // namespace bodkin::lsp
