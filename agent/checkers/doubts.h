// Doubts: why a check is not sure that a draft is right, as one table. Each widens "not checked",
// which costs right edits. tests/verify_cli prints which of them its edits are given: a doubt that
// no edit is given has not yet been shown to prevent a false "clean".
#pragma once

#include <string_view>

namespace bodkin {

struct Doubt {
  std::string_view name;   // in the result of `bodkin verify --json`
  std::string_view words;  // for the user, as CheckResult::reason; {} for each argument
};

namespace doubts {

inline constexpr Doubt failed{"failed", "{}"};
inline constexpr Doubt cargo_untrusted{
    "cargo_untrusted", "cargo check would run build scripts, and the folder is not trusted"};
inline constexpr Doubt cargo_failed{
    "cargo_failed", "cargo check failed, so what depends on the part that failed was not checked"};
inline constexpr Doubt cargo_leaves_out{"cargo_leaves_out", "cargo check does not compile {}"};
inline constexpr Doubt cargo_leaves_out_user{
    "cargo_leaves_out_user", "cargo check does not compile the package of {}, which may use {}"};
inline constexpr Doubt configuration{"configuration", "{}"};
inline constexpr Doubt no_project{"no_project",
                                  "no project includes {}, so its options are not known{}{}"};
inline constexpr Doubt not_installed{"not_installed", "{} needs what is not installed here: {}"};
inline constexpr Doubt configures{"configures", "{} configures how the project is checked"};
inline constexpr Doubt link{"link", "{} is a link"};
inline constexpr Doubt user_of_data{"user_of_data", "{} uses {}, which no server looks at"};
inline constexpr Doubt no_checker{"no_checker",
                                  "no checker is known for {}; bodkin.verify.servers can name one"};
inline constexpr Doubt no_server{"no_server", "{}"};
inline constexpr Doubt no_server_still{"no_server_still", "{}"};
inline constexpr Doubt excluded{"excluded", "{} is excluded by --server"};
inline constexpr Doubt cancelled{"cancelled", "cancelled"};
inline constexpr Doubt go_does_not_work{"go_does_not_work",
                                        "go build does not work in this folder: {}"};
inline constexpr Doubt go_rejects{"go_rejects", "go build rejects the draft: {}"};
inline constexpr Doubt go_failed_before{
    "go_failed_before",
    "go build failed before the draft, so what depends on that was not checked"};
inline constexpr Doubt go_leaves_out{"go_leaves_out", "go build does not compile {} here"};
inline constexpr Doubt needs_go{"needs_go", "only go build finds all errors of {}, and it {}"};
inline constexpr Doubt plain_javascript{
    "plain_javascript",
    "{} is plain JavaScript, of which only the syntax and the names are certain{}{}"};
inline constexpr Doubt unknown_member{
    "unknown_member",
    "{} cannot know whether .{} exists, in line {} of {}: nothing tells the type of what has it"};
inline constexpr Doubt unreadable{"unreadable", "{} cannot read all of {}: {}{}"};
inline constexpr Doubt hidden_file{
    "hidden_file",
    "{} depends on what {} does not see: a private file, or one outside of the folder"};
inline constexpr Doubt incomplete_server{"incomplete_server",
                                         "whether {} has reported all problems is not known"};
inline constexpr Doubt unknown_users{"unknown_users", "which files depend on {} is not known"};
inline constexpr Doubt unread_users{"unread_users",
                                    "not all files that may depend on {} could be read"};
inline constexpr Doubt several_projects{
    "several_projects",
    "{} belongs to several projects with different options, of which {} sees one"};
inline constexpr Doubt removed_but_named{"removed_but_named",
                                         "a project names {}, which is removed"};
inline constexpr Doubt many_users{"many_users",
                                  "too many files depend on {}; {} of them were checked"};
inline constexpr Doubt unknown_to_checker{"unknown_to_checker",
                                          "{} does not accept line {} of {}: {}"};
inline constexpr Doubt unknown_syntax{"unknown_syntax",
                                      "bodkin's grammar does not know the syntax of {}, line {}"};
inline constexpr Doubt part_of_unit{
    "part_of_unit", "{} is compiled as part of another file, which clangd does not report on"};
inline constexpr Doubt several_ways{"several_ways",
                                    "{} is compiled in several ways, of which clangd sees one"};
inline constexpr Doubt no_unit{"no_unit", "no file that is compiled includes {}"};
inline constexpr Doubt strict_gcc{"strict_gcc",
                                  "the build treats gcc's warnings as errors, and {}"};
inline constexpr Doubt unproven_gcc{
    "unproven_gcc", "the command of {} in compile_commands.json accepts a file that is wrong"};
inline constexpr Doubt suppressed{"suppressed", "{} tells clangd not to report errors"};
inline constexpr Doubt silent{
    "silent", "{} reports no unknown name in {}: its settings or the file forbid it"};
inline constexpr Doubt unreached{
    "unreached", "{} takes line {} of {} for code that is never reached, and does not check it"};
inline constexpr Doubt conditional{"conditional", "{} skips line {} of {} here: it is below {}"};
inline constexpr Doubt silenced{"silenced", "line {} of {} silences the checker: {}"};
inline constexpr Doubt needs_code{
    "needs_code",
    "only a compiler that generates code finds all errors of assembly, instructions, aliases, "
    "attributes and forbidden calls"};
inline constexpr Doubt gcc_rejects_more{
    "gcc_rejects_more",
    "clang only warns about what gcc rejects, and gcc runs only in a trusted folder"};
inline constexpr Doubt gnu_c{"gnu_c", "{} may be GNU C, which clangd does not know: {}"};
inline constexpr Doubt newer_standard{
    "newer_standard",
    "clangd does not accept line {} of {}: {}; it may be newer than what clangd takes it for "
    "without a compile_commands.json{}"};
inline constexpr Doubt newer_python{
    "newer_python",
    "line {} of {} may be for a newer Python than the one on PATH: {}; pythonVersion in "
    "pyrightconfig.json says for which"};
inline constexpr Doubt unnamed_unit{"unnamed_unit",
                                    "{} uses {} and is not in compile_commands.json"};
inline constexpr Doubt in_time{"in_time",
                               "only {} of the {} files that depend on {} were checked in time"};
inline constexpr Doubt warning_of_header{"warning_of_header",
                                         "{} has a new warning that is an error in a build: {}"};
inline constexpr Doubt user_outside{"user_outside", "{} uses {} and is not in the folder"};
inline constexpr Doubt not_for_node{"not_for_node", "node would not load {}, a bundler may: {}"};
inline constexpr Doubt undefined{
    "undefined",
    "{} is declared in {}, and no file of the project defines it: a linker may say no"};
inline constexpr Doubt gcc_rejects{"gcc_rejects", "gcc rejects {} with the draft"};

}  // namespace doubts

}  // namespace bodkin
