// ServerChecker: checks files with a language server. Derived checkers add what a language needs
// besides that.
#pragma once

#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "agent/checkers/asked_server.h"
#include "agent/checkers/check.h"

namespace bodkin {

class ServerChecker : public Checker {
 public:
  ServerChecker(Check& check, std::string key, ServerCommand command,
                std::vector<ChangedFile> files)
      : Checker(check), server_(check, std::move(key), std::move(command), std::move(files)) {}
  void compare() override;
  void report() override;
  void warm_up() override;

 protected:
  // Looks at the files `asked`, relative, with and without the draft, and notes what is new and
  // what cannot be known. False if nothing is known.
  virtual bool look(const std::set<std::string>& asked);
  // The files that depend on the draft and are looked at.
  virtual std::vector<std::string> users_to_ask(std::vector<std::string> users);
  // Why finding no error in the files `asked` proves nothing, given the project; "" if it does.
  virtual void doubt_scope(const std::set<std::string>& asked);

  // Of the files `asked`, those in which the server must find an error that is put there: else its
  // settings or the file keep it from reporting any.
  virtual std::set<std::string> files_to_try(const std::set<std::string>& asked) const;
  // The one that was asked.
  virtual const AskedServer& asked_server() const { return server_; }
  // Why finding no error in the files `asked` proves nothing, as errors put there are not reported.
  virtual void doubt_silence(const std::set<std::string>& asked);

  void compare_files(const Problems& before, const Problems& after);
  // Whether an import of the file was not found.
  static bool is_unresolved(Imports imports, const Diagnostic& problem);
  // Whether a module was not found whose package was missing before, too.
  static bool is_missing_package(Imports imports, const Diagnostic& problem,
                                 const std::vector<Diagnostic>& before);
  CheckedProblem shown(const Diagnostic& problem, const FileProblems& file,
                       const std::string& path) const;
  // Removes the users that do not mention what was changed.
  void keep_concerned(std::vector<std::string>& users) const;
  // Reports what the project lacks on this machine. `after`: the server's problems of the draft.
  void check_environment(const Problems& after);
  // Doubts members that the draft is the first to name, if nothing declares the type that has them.
  void doubt_unknown_members();
  void check_modules();
  std::string database_hint() const;
  bool is_changed(const std::string& path) const;

  const AskedServer server_;
  bool is_partial_ = false;  // more files depend on the draft than are looked at
  bool is_asked_ = true;     // the server had a say

 private:
  struct Compared {
    std::string path, old_path;  // absolute
    const ChangedFile* file;     // of the draft; null: it is another one
    std::span<const Replacement> edits() const {
      return file ? std::span<const Replacement>(file->edits) : std::span<const Replacement>();
    }
    bool is_left_out = false;  // another one that the project's own check does not look at
  };
  void compare_file(Compared compared, FileProblems before, FileProblems after);
  void leave_certain(const Compared& compared, FileProblems& before, FileProblems& after);
  void weigh(const Diagnostic& problem, const Compared& compared, const FileProblems& before,
             CheckedProblem& one);
  std::set<std::string> files_to_ask();
  bool misses_hidden(const std::set<std::string>& asked) const;
  bool misses_header(const FileProblems& problems, const std::string& path) const;
  bool is_plain_script(const std::string& path) const;
  bool is_in_script_project(const std::string& path) const;
  bool is_of_newer_python(const Diagnostic& problem) const;
  bool is_found_by_node(const std::string& path, const std::string& source) const;
  bool imports_as_bundlers_do() const;
  bool is_guess(const Diagnostic& problem, const std::string& path) const;
  bool is_installed_here(const Diagnostic& problem) const;
  bool is_certain_outside(const Diagnostic& problem, const std::string& path) const;
  std::vector<std::string> projects() const;
  bool is_left_out(const std::string& path) const;
  std::string file_of_projects() const;
  std::string removed_but_named() const;
  std::string missing_of_configurations() const;
};

}  // namespace bodkin
