// What the editor knows of its files' problems, as our clients pass it on, and when that can be
// believed (lsp/README.md, "Diagnostics"). Main thread only.
//
// Silence is not "clean". After a change a file's problems are
//
//   fresh      reported for the text of now: asked for after the change ("pulled"), or published
//              with its version and quiet since
//   unchanged  not reported again, and that means something: each language server has answered a
//              later request, and each is known to publish before it answers such a one
//   unknown    all else: still busy, silent, ended, or nobody looks at this file
//
// Who is known to be punctual is learned: a server that once published after its answer is not.
// Of several servers each must have spoken: one publish says nothing about the others.
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

bool is_own(const Json& diagnostic);  // bodkin's own come back through every way
// In bytes of `text`; own ones are left out. Without a text (a file that is not open) all bytes are
// 0 and the lines are as reported.
std::vector<Diagnostic> diagnostics_of(const Json& list, const Text* text, Encoding encoding);

struct FileProblems {
  std::optional<Text> text;  // that the places are in; nothing: the file is not open
  std::vector<Diagnostic> list;
  std::optional<int64_t> version;                 // of the document that they were shown on
  std::optional<std::set<std::string>> servers;   // who looks at it, if the client says so
  std::optional<std::set<std::string>> reported;  // who of them published for that version
  uint64_t heard = 0;                             // when, in messages
};
using Problems = std::map<std::string, FileProblems>;  // by path

// How a wait for the diagnostics of a change ended.
struct WaitResult {
  Freshness freshness = Freshness::unknown;
  std::string why;  // if unknown: for the person, after "Not checked: "
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
  void folders_changed();  // the paths are others
  bool has_heard() const { return count_ > 0; }
  Diagnostics current(const std::string& path, std::optional<int64_t> version) const;
  const Json& raw(const std::string& uri) const;  // an array
  Problems problems() const;                      // of all files
  bool is_of_now(const std::string& path) const;  // reported for the text as it is now

  // Calls `done` once, at the latest after `patience`. `before`: as it was before the change.
  void wait_for_diagnostics(std::vector<std::string> uris, Problems before,
                            std::chrono::milliseconds patience,
                            std::function<void(const WaitResult&)> done);

 private:
  struct File {
    std::string uri;
    Json raw = Json::array();
    FileProblems problems;
  };
  struct Pulled {                  // a client's answer to kPullDiagnostics
    std::set<std::string> later;   // servers that only answered a later request
    std::set<std::string> silent;  // of these: had not published when they answered
    std::string failed;            // one that did not even do that
    bool by_nobody = false;        // there is no server
  };
  struct Wait {
    std::vector<std::string> uris;
    Problems before;
    std::chrono::milliseconds patience;
    std::map<std::string, Pulled> pulled;  // by path; of the version of now
    std::function<void(const WaitResult&)> done;
  };
  // Nothing: not decided yet.
  std::optional<WaitResult> result_of(const Wait& wait) const;
  std::optional<WaitResult> result_of(const Wait& wait, const Document& document) const;
  bool is_heard(const Wait& wait, const Document& document) const;
  std::set<std::string> silent_servers(const Wait& wait, const Document& document) const;
  std::string who_is_missing(const Wait& wait) const;
  void read(File& file, const Document* document);
  void forget_closed();
  void ask_for(int number, const Document& document);
  void answered(int number, const std::string& path, int64_t version, const Result<Json>& answer);
  void look(int number);
  void end(int number, const WaitResult& result);

  EventLoop& loop_;
  const Documents& documents_;
  std::map<std::string, File> files_;      // by path
  std::set<std::string> punctual_, late_;  // language servers
  std::map<int, Wait> waits_;
  uint64_t count_ = 0;
  int next_wait_ = 0;
};

}  // namespace bodkin::lsp
