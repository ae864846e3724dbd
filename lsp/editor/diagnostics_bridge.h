// DiagnosticsBridge: the editor's diagnostics, as our clients pass them on, and whether they are up
// to date (lsp/README.md, "Diagnostics"). Main thread only.
//
// Silence is not "clean". After a change, a file's diagnostics are
//
//   fresh      reported for the current text: requested after the change ("pulled"), or published
//              for its version, and quiet since
//   unchanged  not reported again, and that is meaningful: each language server has answered
//              a later request, and is known to publish before it answers such a request
//   unknown    anything else: still busy, silent, exited, or no server handles this file
//
// Which servers do is learned: one that has ever published after its answer does not. With
// several servers, each must have reported: one says nothing about the others.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "agent/rpc/event_loop.h"
#include "agent/workspace/workspace.h"
#include "lsp/workspace/documents.h"

namespace bodkin::lsp {

bool is_own(const Json& diagnostic);  // editors send us bodkin's own, too
// Converts to bytes of `text`, without our own. Without a text (a file that is not open) all bytes
// are 0, and the lines are as reported.
std::vector<Diagnostic> diagnostics_of(const Json& list, const Text* text, Encoding encoding);

struct EditorProblems {
  std::optional<Text> text;  // to which the places refer; nothing: the file is not open
  std::vector<Diagnostic> list;
  std::optional<int64_t> version;                 // of the document when they were shown
  std::optional<std::set<std::string>> servers;   // the file's, if the client says
  std::optional<std::set<std::string>> reported;  // those that published for that version
  uint64_t heard = 0;                             // the number of the message they came in
};
using Problems = std::map<std::string, EditorProblems>;  // by path

// How a wait for the diagnostics of a change ended.
struct WaitResult {
  Freshness freshness = Freshness::unknown;
  std::string why;  // if unknown: for the user, after "Not checked: "
};

class DiagnosticsBridge {
 public:
  using Answer = std::function<void(const Result<Json>&)>;

  DiagnosticsBridge(EventLoop& loop, const Documents& documents)
      : loop_(loop), documents_(documents) {}

  // Sends kPullDiagnostics; null if the client cannot.
  std::function<void(const Document&, Answer)> pull;

  void receive(const DiagnosticsParams& params);
  void document_changed(const std::string& uri);  // also: opened
  void document_closed(const std::string& uri);
  void folders_changed();  // paths have changed
  bool has_heard() const { return count_ > 0; }
  Diagnostics current(const std::string& path, std::optional<int64_t> version) const;
  const Json& raw(const std::string& uri) const;      // an array
  Problems problems() const;                          // of all files
  bool is_up_to_date(const std::string& path) const;  // reported for the current text

  // Calls `done` once, within `patience`. `before`: the diagnostics before the change.
  void wait_for_diagnostics(std::vector<std::string> uris, Problems before,
                            std::chrono::milliseconds patience,
                            std::function<void(const WaitResult&)> done);

 private:
  struct File {
    std::string uri;
    Json raw = Json::array();
    EditorProblems problems;
  };
  struct Pulled {                  // a client's answer to kPullDiagnostics
    std::set<std::string> later;   // servers that only answered a later request
    std::set<std::string> silent;  // those of them that had not published when they answered
    std::string failed;            // a server that did not answer
    bool by_nobody = false;        // there is no server
  };
  struct Wait {
    std::vector<std::string> uris;
    Problems before;
    std::chrono::milliseconds patience;
    std::map<std::string, Pulled> pulled;  // by path; for the current version
    std::function<void(const WaitResult&)> done;
  };
  // Nullopt: not decided yet.
  std::optional<WaitResult> result_of(const Wait& wait) const;
  std::optional<WaitResult> result_of(const Wait& wait, const Document& document) const;
  bool is_heard(const Wait& wait, const Document& document) const;
  std::set<std::string> silent_servers(const Wait& wait, const Document& document) const;
  std::string missing_servers(const Wait& wait) const;
  void read(File& file, const Document* document);
  void forget_closed();
  void ask_for(int number, const Document& document);
  void answered(int number, const std::string& path, int64_t version, const Result<Json>& answer);
  void check_wait(int number);
  void end(int number, const WaitResult& result);

  EventLoop& loop_;
  const Documents& documents_;
  std::map<std::string, File> files_;             // by path
  std::set<std::string> publishes_first_, late_;  // language servers
  std::map<int, Wait> waits_;
  uint64_t count_ = 0;
  int next_wait_ = 0;
};

}  // namespace bodkin::lsp
