// UnitChecker: C and C++, by the units that are compiled.
#pragma once

#include <future>
#include <stop_token>

#include "agent/checkers/clangd_files.h"
#include "agent/checkers/server_checker.h"

namespace bodkin {

class UnitChecker : public ServerChecker {
 public:
  UnitChecker(Check& check, std::string key, ServerCommand command, std::vector<ChangedFile> files)
      : ServerChecker(check, std::move(key), std::move(command), std::move(files)),
        whole_(server_.of_whole_units()) {}
  void warm_up() override;

 protected:
  bool look(const std::set<std::string>& asked) override;
  std::vector<std::string> users_to_ask(std::vector<std::string> users) override;
  void doubt_scope(const std::set<std::string>& asked) override;
  std::set<std::string> files_to_try(const std::set<std::string>& asked) const override;
  void doubt_silence(const std::set<std::string>& asked) override;
  const AskedServer& asked_server() const override {
    return server_.was_asked() ? server_ : whole_;
  }

 private:
  struct Compiled {
    bool is_right = false;
    bool refuses_wrong = false;  // the command refuses a wrong text in place of its file
    std::string output;
  };
  struct GccRun {  // with the draft
    std::vector<CompileCommands::Command> commands;
    std::vector<std::string> paths;  // of the commands
    std::stop_source stop;
    std::future<Result<std::vector<Compiled>>> after;
    ~GccRun() { stop.request_stop(); }
  };
  std::vector<ClangdFile> files_of_clangd() const;
  void keep_units(std::vector<std::string>& users);
  void add_compiling_units(const std::vector<std::string>& units, std::vector<std::string>& users);
  bool is_unnamed(const std::string& path) const;
  bool may_instantiate() const;
  void doubt_errors(const Findings::Mark& before);
  bool look_at_units(std::set<std::string> units, bool reaches_others);
  bool uses_change(const std::string& path) const;
  void check_unnamed(const std::set<std::string>& units);
  bool check_in_parts(const std::set<std::string>& units);
  void doubt_header_warnings();
  void check_definitions();

  bool may_fail_late(const std::set<std::string>& units) const;
  bool is_certain(const Findings::Mark& before) const;
  bool may_run_gcc(const std::string& path) const;
  std::unique_ptr<GccRun> start_gcc(const std::set<std::string>& units) const;
  void check_with_gcc(GccRun& run, std::set<std::string>& units, const Findings::Mark& before);
  Result<std::vector<Compiled>> compile(const std::vector<CompileCommands::Command>& commands,
                                        bool with_draft, const std::stop_token& stop) const;

  const AskedServer whole_;
  std::set<std::string> of_gcc_;  // the units that gcc has judged
  bool is_late_ = false;          // some errors are found only when code is generated
};

}  // namespace bodkin
