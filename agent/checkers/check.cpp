// In which state of the folder a check asks which server.
//
// More than 350 lines: what a server is shown, on the disk or beside it, and what it is asked then,
// is one decision.
#include "agent/checkers/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "agent/checkers/cargo_check.h"
#include "agent/checkers/file_kinds.h"
#include "agent/checkers/server_view.h"
#include "agent/support/read_file.h"
#include "grammars/languages.h"
#include "grammars/rust_constants.h"

namespace bodkin {

namespace {

constexpr size_t kMaxText = 16u << 20;  // bytes of a file
// sandbox.readable lets the servers read more.
constexpr std::string_view kMissed =
    "{} depends on what {} does not see: a private file, or one outside of the folder";
constexpr size_t kMany = 4;  // files, of which it pays not to look at each twice

}  // namespace

std::optional<Text> Checkers::Check::disk_text(const std::string& path) const {
  auto bytes = read_file(path, kMaxText);
  if (!bytes) return std::nullopt;
  return Text(*std::move(bytes));
}

// Without the draft: the editor's text, else the disk's. `path`: relative.
std::optional<Text> Checkers::Check::text_now(const std::string& path) const {
  const auto buffer = request_.buffers.find(path);
  return buffer != request_.buffers.end() ? buffer->second : disk_text(full(path));
}

// What an open file has, with the draft; nothing: what the disk has.
std::optional<Text> Checkers::Check::drafted(const std::string& path) const {
  for (const ChangedFile& file : request_.files)
    if (final_path(file) == path && file.after) return file.after;
  const auto buffer = request_.buffers.find(path);
  return buffer == request_.buffers.end() ? std::nullopt : std::optional(buffer->second);
}

bool Checkers::Check::is_as_on_disk(const ChangedFile& file) const {
  const auto text = disk_text(full(file.path));
  return text.has_value() == file.before.has_value() && (!text || *text == *file.before);
}

// Of the languages that the group's server knows.
LanguageServer::Texts Checkers::Check::buffers_of(const Group& group) const {
  LanguageServer::Texts texts;
  const auto known = words_of_list(group.command.kind->languages);
  for (const auto& [path, text] : request_.buffers) {
    const Language* language = language_of(path, text.line(0));
    if (language && std::ranges::find(known, language->id) != known.end()) texts[full(path)] = text;
  }
  return texts;
}

// What the folder has without the draft, where that is not what the disk has.
LanguageServer::Texts Checkers::Check::old_texts(const Group& group) const {
  LanguageServer::Texts texts = buffers_of(group);
  for (const ChangedFile& file : group.files)
    if (file.before && !is_as_on_disk(file)) texts[full(file.path)] = *file.before;
  return texts;
}

LanguageServer::Texts Checkers::Check::draft_texts(const Group& group) const {
  LanguageServer::Texts texts = buffers_of(group);
  for (const ChangedFile& file : group.files)
    if (file.after) texts[full(final_path(file))] = *file.after;
  return texts;
}

Result<Checkers::Check::Problems> Checkers::Check::base_of(const Group& group,
                                                           Project::Server& server,
                                                           const std::set<std::string>& asked) {
  Problems result;
  LanguageServer::Texts texts = old_texts(group);
  if (!texts.empty()) {  // what is known is of the disk
    std::set<std::string> there;
    for (const std::string& path : asked) {
      const std::string file = full(path);
      if (!texts.contains(file)) {
        auto text = disk_text(file);
        if (!text) continue;
        texts[file] = *std::move(text);
      }
      there.insert(file);
    }
    return server.process->diagnose(texts, there, task_.stop);
  }
  std::set<std::string> missing;
  for (const std::string& path : asked) {
    const std::string file = full(path);
    if (const auto known = server.base.find(file); known != server.base.end()) {
      result[file] = known->second;
      continue;
    }
    auto text = disk_text(file);
    if (!text) continue;  // it is new
    texts[file] = *std::move(text);
    missing.insert(file);
  }
  if (missing.empty()) return result;
  auto looked = server.process->diagnose(texts, missing, task_.stop);
  if (!looked) return std::unexpected(looked.error());
  for (auto& [path, problems] : *looked) {
    server.base[path] = problems;
    result[path] = std::move(problems);
  }
  return result;
}

SandboxFolder Checkers::Check::view(bool with_draft) const {
  SandboxFolder view{.folder = project_.root, .around = request_.around};
  for (const auto& [path, text] : request_.buffers)
    view.drafts.push_back({.path = path, .text = text.str()});
  for (const ChangedFile& file : request_.files) {
    if (!with_draft) {
      if (file.before && !is_as_on_disk(file))
        view.drafts.push_back({.path = file.path, .text = file.before->str()});
      continue;
    }
    if (!file.after || file.rename_to) view.absent.push_back(file.path);
    if (file.after) view.drafts.push_back({.path = final_path(file), .text = file.after->str()});
  }
  return view;
}

// On the disk and in the draft.
std::set<std::string> Checkers::Check::rust_files(const Group& group) const {
  std::set<std::string> files;
  for (const std::string& path : project_.files.of_language("rust")) files.insert(path);
  for (const ChangedFile& file : group.files) files.insert(final_path(file));
  return files;
}

// rust-analyzer does not see what the compiler sees, and that runs what the folder's build scripts
// say.
void Checkers::Check::check_rust(Group& group) {
  using Purpose = CheckRequest::Purpose;
  if (request_.purpose == Purpose::warm_up) return;
  if (!request_.servers.empty() && !request_.servers.contains(group.command.name) &&
      !request_.servers.contains("cargo"))
    return not_checked("cargo check is excluded by --server");
  if (!settings_.trusted) {
    return not_checked("cargo check would run build scripts, and the folder is not trusted");
  }
  SandboxFolder base = view(false);
  const bool is_disk = base.drafts.empty();  // what is known is of the disk
  const bool generates = request_.purpose != Purpose::report &&
                         std::ranges::any_of(rust_files(group), [&](const std::string& path) {
                           const auto draft = drafted(path);
                           const auto text = draft ? draft : disk_text(full(path));
                           return text && may_fail_when_generated(*text);
                         });
  if (!is_disk || !project_.rust_base || (generates && !project_.is_rust_built)) {
    auto before = cargo_check(base, group.files, generates, task_.stop);
    if (!before) return not_checked(before.error().message);
    project_.rust_base = std::move(before->problems);
    project_.is_rust_built = generates;
  }
  if (request_.purpose == Purpose::report) {
    take_report(group, *project_.rust_base);
    if (!is_disk) project_.rust_base.reset();
    return;
  }
  const auto after = cargo_check(view(true), group.files, generates, task_.stop);
  if (!after) return not_checked(after.error().message);
  compare_files(group, *project_.rust_base, after->problems);
  if (!is_disk) project_.rust_base.reset();
  result_.by.emplace_back(generates ? "cargo build" : "cargo check");
  if (!after->succeeded)
    return not_checked(
        "cargo check failed, so what depends on the part that failed was not checked");
  for (const ChangedFile& file : group.files) {
    if (file.after && !after->compiled.contains(full(final_path(file))))
      not_checked(fmt::format("cargo check does not compile {}", final_path(file)));
  }
  for (const std::string& path : project_.files.named("Cargo.toml")) {
    if (after->manifests.contains(full(path))) continue;
    const auto text = text_now(path);
    if (!text || text->str().contains("path"))
      not_checked(fmt::format("cargo check does not compile the package of {}, which may use {}",
                              path, group.files[0].path));
  }
}

// Whether the draft also changes what the server reads from the disk alone: a configuration, a
// module of JSON, a file that is embedded or included and is not a source.
bool Checkers::Check::changes_what_is_read(const Group& group) const {
  const Imports imports = group.command.kind->imports;
  const bool embeds =
      imports == Imports::go && std::ranges::any_of(group.files, [](const ChangedFile& file) {
        return file.after && file.after->str().contains("//go:embed");
      });
  return std::ranges::any_of(request_.files, [&](const ChangedFile& file) {
    const std::string path = final_path(file);
    const Language* language = language_of(path);
    return configures_checks(path) || configures_checks(file.path) ||
           (imports == Imports::script && path.ends_with(".json")) ||
           (imports == Imports::include && !language) ||
           (embeds && (!language || is_data(language, path)));
  });
}

// Whether the server must find the draft on the disk, or finds the file by another path, too.
bool Checkers::Check::needs_view(const Group& group) const {
  if (changes_what_is_read(group)) return true;
  const ServerKind& kind = *group.command.kind;
  return std::ranges::any_of(group.files, [&](const ChangedFile& file) {
    if (project_.files.is_linked(file.path)) return true;
    const bool is_created = !file.before || file.rename_to;
    const bool is_removed = !file.after || file.rename_to;
    if (is_created && kind.imports == Imports::script) {  // it may hide what an import has found
      ChangedFile created;
      created.path = final_path(file);
      if (!project_.files.dependents(kind.imports, {created}).empty()) return true;
    }
    // clang finds nothing above a folder that is not there: "../a.h".
    std::error_code error;
    if (is_created && kind.imports == Imports::include &&
        !std::filesystem::exists(full(std::string(folder_of(final_path(file)))), error))
      return true;
    // gopls says nothing of the types in a package that the disk does not have.
    if (is_created && kind.imports == Imports::go &&
        std::ranges::none_of(project_.files.all_of(Imports::go), [&](const std::string& other) {
          return folder_of(other) == folder_of(final_path(file));
        }))
      return true;
    return (is_created && kind.needs_created_on_disk) || (is_removed && kind.needs_removed_on_disk);
  });
}

// What the server is shown, and in `files` which of the asked files exist then; absolute paths.
LanguageServer::Texts Checkers::Check::texts_of(const Group& group,
                                                const std::set<std::string>& asked, bool with_draft,
                                                std::set<std::string>& files) const {
  LanguageServer::Texts texts = with_draft ? draft_texts(group) : old_texts(group);
  for (const std::string& path : asked) {
    const std::string file = full(path);
    const bool is_gone =
        with_draft && std::ranges::any_of(request_.files, [&](const ChangedFile& changed) {
          return changed.path == path && (!changed.after || changed.rename_to);
        });
    if (!texts.contains(file) && !is_gone) {
      if (auto text = disk_text(file)) texts[file] = *std::move(text);
    }
    if (texts.contains(file)) files.insert(file);
  }
  return texts;
}

// For what a server knows from the disk alone: a new one that sees the folder as the draft has it.
Result<Checkers::Check::Problems> Checkers::Check::check_in_view(const Group& group,
                                                                 const std::set<std::string>& asked,
                                                                 bool with_draft) {
  std::set<std::string> files;
  const LanguageServer::Texts texts = texts_of(group, asked, with_draft, files);
  SandboxFolder folder = view(with_draft);
  folder.hides_git = true;
  LanguageServer server(group.command, std::move(folder));
  return server.diagnose(texts, files, task_.stop);
}

Result<Checkers::Check::Problems> Checkers::Check::check_draft(const Group& group,
                                                               const std::set<std::string>& asked) {
  if (needs_view(group)) return check_in_view(group, asked, true);
  std::set<std::string> files;
  const LanguageServer::Texts texts = texts_of(group, asked, true, files);
  return server_of(group).process->diagnose(texts, files, task_.stop);
}

Checkers::Project::Server& Checkers::Check::server_of(const Group& group) {
  Project::Server& server = project_.servers[group.key];
  if (!server.process)
    server.process = std::make_unique<LanguageServer>(
        group.command,
        SandboxFolder{.folder = project_.root, .is_live = true, .around = request_.around});
  return server;
}

void Checkers::Check::take_report(const Group& group, Problems problems) {
  for (const ChangedFile& file : group.files)
    result_.now[file.path] = std::move(problems[full(file.path)].list);
  result_.by.push_back(group.command.name);
}

// Then the servers see another program than the one that is built.
bool Checkers::Check::misses_hidden(const Group& group, const std::set<std::string>& asked) {
  return ServerView(group.command, project_.root, project_.files, project_.commands)
      .misses(
          asked, [&](const std::string& path) { return drafted(path); },
          [&](const std::string& path) { return text_of_project(path); });
}

void Checkers::Check::report(const Group& group) {
  std::set<std::string> paths;
  for (const ChangedFile& file : group.files) paths.insert(file.path);
  if (misses_hidden(group, paths))
    return not_checked(fmt::format(kMissed, group.files[0].path, group.command.name));
  auto problems = base_of(group, server_of(group), paths);
  if (!problems) return not_checked(problems.error().message);
  for (const std::string& path : paths) {
    if (misses_header(group, (*problems)[full(path)], full(path)))
      return not_checked(fmt::format(kMissed, path, group.command.name));
  }
  take_report(group, *std::move(problems));
}

// Starts the server, and shows it the files.
void Checkers::Check::warm_up(const Group& group) {
  std::set<std::string> paths;
  for (const ChangedFile& file : group.files) paths.insert(file.path);
  (void)base_of(group, server_of(group), paths);
  if (!may_instantiate(group)) return;
  const Group whole = whole_units_of(group);
  (void)base_of(whole, server_of(whole), paths);
}

// With the draft and without it.
Result<Checkers::Check::CheckPass> Checkers::Check::check_before_and_after(
    const Group& group, const std::set<std::string>& asked) {
  Result<Problems> before = Problems(), after = Problems();
  if (needs_view(group)) {
    before = check_in_view(group, asked, false);
    if (before) after = check_in_view(group, asked, true);
  } else if (asked.size() <= kMany) {
    before = base_of(group, server_of(group), asked);
    if (before) after = check_draft(group, asked);
  } else {  // what has no problem now has no new one, whatever it was before
    after = check_draft(group, asked);
    std::set<std::string> had;
    for (const ChangedFile& file : group.files)
      if (asked.contains(file.path)) had.insert(file.path);
    if (after) {
      for (const auto& [path, problems] : *after)
        if (!problems.list.empty()) had.insert(relative(path));
      before = base_of(group, server_of(group), had);
    }
  }
  if (!before) return std::unexpected(before.error());
  if (!after) return std::unexpected(after.error());
  return CheckPass{*std::move(before), *std::move(after)};
}

void Checkers::Check::check_group(Group& group) {
  if (request_.purpose == CheckRequest::Purpose::warm_up) return warm_up(group);
  if (request_.purpose == CheckRequest::Purpose::report) return report(group);
  bool is_partial = false;
  const std::set<std::string> asked = files_to_ask(group, is_partial);
  if (misses_hidden(group, asked))
    return not_checked(fmt::format(kMissed, group.files[0].path, group.command.name));
  const auto place = static_cast<ptrdiff_t>(result_.by.size());  // before the compilers
  if (group.command.imports == Imports::include) {
    if (!check_units(group, asked)) return;
  } else {
    const auto looked = check_before_and_after(group, asked);
    if (!looked) {
      const bool is_known = group.command.imports == Imports::go && check_with_go(group);
      if (!is_known) not_checked(looked.error().message);
      return;
    }
    const size_t listed = result_.added.size();
    compare_files(group, looked->before, looked->after);
    if (group.command.imports == Imports::go) check_go(group, listed);
    if (group.command.kind->name == "bash-language-server")
      for (const ChangedFile& file : group.files) check_quickly(file, true);
    if (new_errors_ == 0) check_environment(group, looked->after);
  }
  result_.by.insert(result_.by.begin() + place, group.command.name);
  const std::string& first = group.files[0].path;
  if (group.command.kind->name.empty() && !group.command.is_complete) {
    not_checked(
        fmt::format("whether {} has reported all problems is not known", group.command.name));
  } else if (!group.command.knows_imports) {
    not_checked(fmt::format("which files depend on {} is not known", first));
  } else if (!project_.files.is_complete()) {
    not_checked(fmt::format("not all files that may depend on {} could be read", first));
  } else if (const std::string outside =
                 group.command.imports == Imports::include
                     ? project_.files.user_outside(project_.commands.files(), asked)
                     : "";
             !outside.empty()) {
    not_checked(fmt::format("{} uses {} and is not in the folder", outside, first));
  } else if (const std::string shared = file_of_projects(group); !shared.empty()) {
    not_checked(
        fmt::format("{} belongs to several projects with different options, of which {} "
                    "sees one",
                    shared, group.command.name));
  } else if (const std::string removed = removed_but_named(group); !removed.empty()) {
    not_checked(fmt::format("a project names {}, which is removed", removed));
  } else if (language_of(first) && language_of(first)->id == "rust") {
    not_checked(fmt::format("{} does not see all that the compiler sees", group.command.name));
  } else if (is_partial) {
    not_checked(fmt::format("too many files depend on {}; {} of them were checked", first,
                            group.command.kind->most_dependents));
  }
}

}  // namespace bodkin
