// Which files a check asks which server about, and in which state of the folder.
#include "agent/checkers/check.h"

#include <fmt/format.h>

#include <algorithm>

#include "agent/checkers/cargo_check.h"
#include "agent/support/read_file.h"

namespace bodkin {

namespace {

constexpr size_t kMostText = 16u << 20;  // bytes of a file

}  // namespace

std::optional<Text> Checkers::Check::disk_text(const std::string& path) const {
  auto bytes = read_file(path, kMostText);
  if (!bytes) return std::nullopt;
  return Text(*std::move(bytes));
}

LanguageServer::Texts Checkers::Check::draft_texts(const Group& group) const {
  LanguageServer::Texts texts;
  for (const ChangedFile& file : group.files)
    if (file.after) texts[full(final_path(file))] = *file.after;
  return texts;
}

// The files whose problems decide: the changed ones, and those that depend on them.
std::set<std::string> Checkers::Check::files_to_ask(const Group& group, bool& is_partial) {
  const ServerKind& kind = *group.command.kind;
  const bool is_clangd = group.command.imports == Imports::include;
  std::set<std::string> asked;
  for (const ChangedFile& file : group.files) {
    asked.insert(final_path(file));
    asked.insert(file.path);
  }
  std::vector<std::string> users = project_.files.dependents(group.command.imports, group.files);
  std::erase_if(users, [&](const std::string& path) {
    if (!is_clangd) return false;
    return !is_unit(path) || (project_.commands.are_known() && !project_.commands.has(full(path)));
  });
  if (!project_.files.is_complete()) is_partial = true;
  if (users.size() > kind.most_dependents / 2) {
    const std::set<std::string> names = changed_names(group.files);
    std::vector<std::string> concerned;
    for (const std::string& path : users) {
      const auto text = disk_text(full(path));
      if (names.empty() || (text && mentions(text->str(), names))) concerned.push_back(path);
    }
    users = std::move(concerned);
  }
  if (users.size() > kind.most_dependents) {
    is_partial = true;
    std::ranges::stable_partition(users, [&](const std::string& path) {
      return std::ranges::find(request_.open, path) != request_.open.end();
    });
    users.resize(kind.most_dependents);
  }
  asked.insert(users.begin(), users.end());
  return asked;
}

Result<Checkers::Check::Problems> Checkers::Check::base_of(Project::Server& server,
                                                           const std::set<std::string>& asked) {
  Problems result;
  LanguageServer::Texts texts;
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
  auto looked = server.process->look(texts, missing, task_.stop);
  if (!looked) return std::unexpected(looked.error());
  for (auto& [path, problems] : *looked) {
    server.base[path] = problems;
    result[path] = std::move(problems);
  }
  return result;
}

SandboxFolder Checkers::Check::draft_view() const {
  SandboxFolder view{.folder = project_.root};
  for (const ChangedFile& file : request_.files) {
    if (!file.after || file.rename_to) view.gone.push_back(file.path);
    if (file.after) view.drafts.push_back({.path = final_path(file), .text = file.after->str()});
  }
  return view;
}

// rust-analyzer does not see what the compiler sees, and that runs what the folder's build scripts
// say.
void Checkers::Check::check_rust(Group& group) {
  if (!request_.servers.empty() && !request_.servers.contains(group.command.name) &&
      !request_.servers.contains("cargo"))
    return not_checked("cargo check was not to be used");
  if (!settings_.trusted) {
    return not_checked("cargo check runs what the folder's files say, and it is not trusted");
  }
  if (!project_.rust_base) {
    auto before = cargo_check({.folder = project_.root}, group.files, task_.stop);
    if (!before) return not_checked(before.error().message);
    project_.rust_base = *std::move(before);
  }
  const auto after = cargo_check(draft_view(), group.files, task_.stop);
  if (!after) return not_checked(after.error().message);
  compare_files(group, *project_.rust_base, *after);
  result_.by.push_back(group.command.name);
}

// For what a server knows from the disk alone: a new one that sees the folder as the draft has it.
Result<Checkers::Check::Problems> Checkers::Check::look_in_view(const Group& group,
                                                                const std::set<std::string>& asked,
                                                                bool with_draft) {
  SandboxFolder view{.folder = project_.root};
  if (with_draft) view = draft_view();
  LanguageServer::Texts texts;
  if (with_draft) texts = draft_texts(group);
  std::set<std::string> files;
  for (const std::string& path : asked) {
    const std::string file = full(path);
    const bool is_gone = with_draft && std::ranges::find(view.gone, path) != view.gone.end();
    if (!texts.contains(file) && !is_gone) {
      if (auto text = disk_text(file)) texts[file] = *std::move(text);
    }
    if (texts.contains(file)) files.insert(file);
  }
  LanguageServer server(group.command, project_.root, std::move(view));
  return server.look(texts, files, task_.stop);
}

void Checkers::Check::check_group(Group& group) {
  const ServerKind& kind = *group.command.kind;
  bool is_partial = false;
  const std::set<std::string> asked = files_to_ask(group, is_partial);
  if (group.command.imports == Imports::include && std::ranges::none_of(asked, is_unit))
    not_checked(fmt::format("no file that is compiled includes {}", group.files[0].path));
  const bool needs_view = std::ranges::any_of(group.files, [&](const ChangedFile& file) {
    const bool is_created = !file.before || file.rename_to;
    const bool is_removed = !file.after || file.rename_to;
    return (is_created && kind.needs_created_on_disk) || (is_removed && kind.needs_removed_on_disk);
  });
  Result<Problems> before = Problems(), after = Problems();
  if (needs_view) {
    before = look_in_view(group, asked, false);
    if (before) after = look_in_view(group, asked, true);
  } else {
    Project::Server& server = project_.servers[group.command.name];
    if (!server.process)
      server.process = std::make_unique<LanguageServer>(group.command, project_.root);
    before = base_of(server, asked);
    if (before) {
      LanguageServer::Texts texts = draft_texts(group);
      std::set<std::string> files;
      for (const std::string& path : asked) {
        const std::string file = full(path);
        if (!texts.contains(file)) {
          const bool is_gone = std::ranges::any_of(group.files, [&](const ChangedFile& changed) {
            return changed.path == path && (!changed.after || changed.rename_to);
          });
          auto text = disk_text(file);
          if (!text || is_gone) continue;
          texts[file] = *std::move(text);
        }
        files.insert(file);
      }
      after = server.process->look(texts, files, task_.stop);
    }
  }
  if (!before) return not_checked(before.error().message);
  if (!after) return not_checked(after.error().message);
  compare_files(group, *before, *after);
  result_.by.push_back(group.command.name);
  if (!group.command.knows_imports) {
    not_checked(fmt::format("which files depend on {} is not known", group.files[0].path));
  } else if (is_partial) {
    not_checked(fmt::format("too many files depend on {}; {} of them were checked",
                            group.files[0].path, asked.size()));
  }
}

}  // namespace bodkin
