// Decides what a language server finds besides the folder: it runs in a sandbox, and may miss
// something there, because what it reads may appear in its messages.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "agent/checkers/compile_commands.h"
#include "agent/checkers/dependents.h"
#include "agent/checkers/language_server.h"

namespace bodkin {

// The places that the server needs: its installation, those that our environment names for it, and
// the configuration of the project if that is above the folder.
SandboxSettings places_of_server(const ServerCommand& command, const std::string& root);

// Adds what these variables (separated by spaces) name by an absolute path.
void add_named_places(SandboxSettings& places, std::string_view variables);

// Our environment's go flags, without those that let go change go.mod.
std::string go_flags_that_write_nothing();

// Finds out what exists but is hidden from a server. All outlive it.
class ServerView {
 public:
  ServerView(const ServerCommand& command, const std::string& root, SourceFiles& files,
             const CompileCommands& commands)
      : command_(command), root_(root), files_(files), commands_(commands) {}

  // Whether these files (relative paths), or their imports, depend on something hidden; if so, the
  // server's report is about a different program. `text_of`: the draft's text of a file, else
  // nullopt. `configurations`: what those of the project tell the server, by path.
  using TextOf = std::function<std::optional<Text>(const std::string& path)>;
  bool misses(const std::set<std::string>& paths, const TextOf& text_of,
              const std::map<std::string, std::string>& configurations) const;
  // Whether that header, which the server did not find, exists.
  bool hides_header(const std::string& path, const std::string& name) const;

 private:
  bool hides(const std::string& absolute) const;
  std::set<std::string, std::less<>> hidden_packages() const;

  const ServerCommand& command_;
  const std::string& root_;
  SourceFiles& files_;
  const CompileCommands& commands_;
};

}  // namespace bodkin
