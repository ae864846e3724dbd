// LanguageServer: one language server, as its client. It is shown texts, never told to read the
// disk, and asked for their problems; an answer that may be about other texts is ignored.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "agent/checkers/server_table.h"
#include "agent/rpc/child_connection.h"
#include "agent/rpc/position.h"
#include "agent/sandbox/sandbox.h"
#include "agent/support/task.h"
#include "agent/workspace/workspace.h"

namespace bodkin {

// The problems of one text.
struct FileProblems {
  std::vector<Diagnostic> list;
  // The true places of problems that the server reports at an #include, by their index in `list`.
  struct Place {
    std::string path;  // absolute
    size_t line = 0;   // from 0
  };
  std::map<size_t, Place> elsewhere;
};

struct ServerCommand {
  const ServerKind* kind = nullptr;
  Imports imports = Imports::none;  // of the language
  // clangd reads the headers at a unit's top once, and without the bodies of their functions: it
  // does not see what the compiler sees there, also in templates that the unit instantiates. With a
  // declaration before them it reads all, which takes five to ten times as long.
  bool reads_whole_units = false;
  bool knows_imports = false;  // else nothing is known of which files depend on which
  // The user promises that an unknown server publishes all that it finds for a text at once:
  // otherwise it may publish twice, and then silence proves nothing.
  bool is_complete = false;
  bool may_run_folder = false;                         // the programs in it
  nlohmann::json settings = nlohmann::json::object();  // the answers to workspace/configuration
  std::string language;                                // of files that no grammar knows
  std::string name;                                    // for the user
  std::vector<std::string> arguments;                  // the program first, absolute
  nlohmann::json options;                              // initializationOptions
  SandboxSettings sandbox;                             // what it may read beside the folder
  // Limits its start and its first answer, for which it may read a project.
  std::chrono::milliseconds timeout{30'000};
};

// Threads: one at a time. Each function returns, whatever the server does: after its time limit, or
// when stopped. Errors are sentences for the user: cancelled; unavailable.
class LanguageServer {
 public:
  using Texts = std::map<std::string, Text>;  // by absolute path

  // Runs it in a sandbox in which the folder is as `view` says; without a sandbox, only if that is
  // live.
  LanguageServer(ServerCommand command, SandboxFolder view);
  ~LanguageServer() { stop(); }
  LanguageServer(const LanguageServer&) = delete;

  // Starts it, if it does not run. Fails at once if it has died too often.
  Result<void> start(const std::stop_token& stop);

  // Shows it `texts`, the disk's for every other file that it was ever shown, and returns the
  // problems of the files `asked` (keys of `texts`).
  Result<std::map<std::string, FileProblems>> diagnose(const Texts& texts,
                                                       const std::set<std::string>& asked,
                                                       const std::stop_token& stop);

  // Whether it knows the definition of the word at this byte of `text`, which it was shown.
  Result<bool> knows(const std::string& path, const Text& text, size_t offset,
                     const std::stop_token& stop);

  // Files on the disk were changed by somebody: invalidates everything known.
  struct DiskChange {
    std::string path;
    int type = 2;  // LSP's FileChangeType: 1 created, 2 changed, 3 deleted
  };
  void disk_changed(const std::vector<DiskChange>& changes);

  const std::string& name() const { return command_.name; }
  const ServerKind& kind() const { return *command_.kind; }
  bool is_running() const { return connection_ != nullptr; }
  ProcessUse use() const { return connection_ ? connection_->child().use() : ProcessUse(); }
  void stop();  // in an orderly way, within half a second

 private:
  using Clock = std::chrono::steady_clock;
  using Milliseconds = std::chrono::milliseconds;
  struct Document {
    Text text;
    std::string uri;
    int64_t version = 0;
    uint64_t checked = 0;  // the state of the world that `problems` is about; 0: none
    uint64_t used = 0;     // the look in which it was last wanted
    uint64_t sent = 0;     // the number of the message with this version
    uint64_t headers = 0;  // how many changes of headers came before it
    FileProblems problems;
    std::optional<nlohmann::json> published;  // with the current version
    bool is_idle = false;                     // clangd: has reported so since
  };

  Result<void> greet(const std::stop_token& stop);
  void set_handlers();
  Document* document_at(const std::string& uri);  // null: it has no such document open
  void take_published(const nlohmann::json& params);
  Result<void> show(const std::string& path, const Text& text, bool again,
                    const std::stop_token& stop);
  Result<void> close(const std::string& path, const std::stop_token& stop);
  void count_change(const std::string& path);
  Result<void> show_all(const Texts& texts, const std::stop_token& stop);
  bool has_published_error(const std::string& path) const;
  Result<void> take_pushed(const std::set<std::string>& stale, const std::stop_token& stop);
  Result<void> take_pulled(const std::set<std::string>& stale, const std::stop_token& stop);
  Result<nlohmann::json> pull(const Document& document, const std::string& path,
                              const std::stop_token& stop);
  Result<nlohmann::json> ask_tsserver(const char* command, const std::string& path,
                                      const std::stop_token& stop);
  Result<FileProblems> read(const nlohmann::json& list, const std::string& path) const;
  Result<void> take_list(const std::string& path, const nlohmann::json& list);
  std::string shown_text(const std::string& path, const Text& text) const;
  size_t lines_before(const std::string& path) const;  // that it sees above the text's
  Result<void> notify(const char* method, nlohmann::json params, const std::stop_token& stop);
  Error lost(const Error& error);
  std::string language_id(const std::string& path) const;
  bool is_publisher() const;
  Result<void> take(const std::set<std::string>& stale, const std::stop_token& stop) {
    return is_publisher() ? take_pushed(stale, stop) : take_pulled(stale, stop);
  }
  Result<bool> test(const std::string& path, const Text& text, const std::stop_token& stop);
  Milliseconds answer_limit() const;

  const ServerCommand command_;
  const SandboxFolder view_;
  const std::string root_;
  std::unique_ptr<rpc::ChildConnection> connection_;  // null: it does not run
  bool is_ready_ = false, has_pull_ = false, has_status_ = false;
  std::string version_;  // as it says; may be empty
  rpc::Encoding encoding_ = rpc::Encoding::utf16;
  std::map<std::string, Document> documents_;  // that it has open, by absolute path
  uint64_t world_ = 1;                         // counts the changes that it has seen, in any file
  uint64_t look_ = 0;
  uint64_t sent_ = 0;         // counts messages with a text
  uint64_t sent_before_ = 0;  // the current look
  uint64_t last_change_ = 0;  // the last of them that changed the world
  uint64_t headers_ = 0;      // counts the changes of headers
  Clock::time_point heard_;   // when it last published
  Milliseconds slowest_{0};   // of its answers
  bool has_answered_ = false, is_proven_ = false;
  bool is_unreliable_ = false;  // what it says is about other texts
  std::vector<Clock::time_point> deaths_;
};

}  // namespace bodkin
