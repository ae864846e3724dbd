// In which state of the folder a server is asked.
#include "agent/checkers/asked_server.h"

#include <algorithm>
#include <filesystem>

#include "agent/checkers/file_kinds.h"
#include "edits/plan/paths.h"
#include "grammars/languages.h"

namespace bodkin {

namespace {

constexpr size_t kMany = 4;  // files, of which it pays not to look at each twice

}  // namespace

LanguageServer::Texts AskedServer::buffers() const {
  LanguageServer::Texts texts;
  const auto known = words_of_list(command.kind->languages);
  for (const auto& [path, text] : check_.request.buffers) {
    const Language* language = language_of(path, text.line(0));
    if (language && std::ranges::find(known, language->id) != known.end())
      texts[check_.draft.full(path)] = text;
  }
  return texts;
}

// The texts before the draft, where they differ from the disk.
LanguageServer::Texts AskedServer::old_texts() const {
  LanguageServer::Texts texts = buffers();
  for (const ChangedFile& file : files)
    if (file.before && !check_.draft.is_as_on_disk(file))
      texts[check_.draft.full(file.path)] = *file.before;
  return texts;
}

LanguageServer::Texts AskedServer::draft_texts() const {
  LanguageServer::Texts texts = buffers();
  for (const ChangedFile& file : files)
    if (file.after) texts[check_.draft.full(file.last_path())] = *file.after;
  return texts;
}

CheckedProject::Server& AskedServer::server() const {
  CheckedProject::Server& server = check_.project.servers[key];
  if (!server.process)
    server.process = std::make_unique<LanguageServer>(
        command, SandboxFolder{.folder = check_.project.root, .is_live = true});
  return server;
}

Result<Problems> AskedServer::before(const std::set<std::string>& asked) const {
  CheckedProject::Server& known_server = server();
  Problems result;
  LanguageServer::Texts texts = old_texts();
  if (!texts.empty()) {  // what is known is of the disk
    std::set<std::string> there;
    for (const std::string& path : asked) {
      const std::string file = check_.draft.full(path);
      if (!texts.contains(file)) {
        auto text = check_.draft.disk_text(file);
        if (!text) continue;
        texts[file] = *std::move(text);
      }
      there.insert(file);
    }
    return known_server.process->diagnose(texts, there, check_.task.stop);
  }
  std::set<std::string> missing;
  for (const std::string& path : asked) {
    const std::string file = check_.draft.full(path);
    if (const auto known = known_server.base.find(file); known != known_server.base.end()) {
      result[file] = known->second;
      continue;
    }
    auto text = check_.draft.disk_text(file);
    if (!text) continue;  // it is new
    texts[file] = *std::move(text);
    missing.insert(file);
  }
  if (missing.empty()) return result;
  auto looked = known_server.process->diagnose(texts, missing, check_.task.stop);
  if (!looked) return std::unexpected(looked.error());
  for (auto& [path, problems] : *looked) {
    known_server.base[path] = problems;
    result[path] = std::move(problems);
  }
  return result;
}

// Whether the draft also changes what the server reads from the disk alone: a configuration, a
// module of JSON, a file that is included and is not a source.
bool AskedServer::changes_what_is_read() const {
  const Imports imports = command.kind->imports;
  return std::ranges::any_of(check_.request.files, [&](const ChangedFile& file) {
    const std::string path = file.last_path();
    const Language* language = language_of(path);
    return configures_checks(path) || configures_checks(file.path) ||
           (imports == Imports::script && path.ends_with(".json")) ||
           (imports == Imports::include && !language);
  });
}

// Whether the server must find the draft on the disk, or finds the file by another path, too.
bool AskedServer::needs_view() const {
  if (changes_what_is_read()) return true;
  const ServerKind& kind = *command.kind;
  // Go embeds files of no language.
  const auto& seen = kind.imports == Imports::go ? check_.request.files : files;
  return std::ranges::any_of(seen, [&](const ChangedFile& file) {
    if (check_.project.files.is_linked(file.path)) return true;
    const bool is_created = !file.before || file.rename_to;
    const bool is_removed = !file.after || file.rename_to;
    if (is_created && kind.imports == Imports::script) {  // it may hide what an import has found
      ChangedFile created;
      created.path = file.last_path();
      if (!check_.project.files.dependents(kind.imports, {created}).empty()) return true;
    }
    // clang finds nothing above a folder that is not there: "../a.h".
    std::error_code error;
    if (is_created && kind.imports == Imports::include &&
        !std::filesystem::exists(check_.draft.full(std::string(folder_part(file.last_path()))),
                                 error))
      return true;
    return (is_created && kind.needs_created_on_disk) || (is_removed && kind.needs_removed_on_disk);
  });
}

// The texts that the server is shown, and in `there` those of the asked files that exist then.
// Paths are absolute.
LanguageServer::Texts AskedServer::texts_of(const std::set<std::string>& asked, bool with_draft,
                                            std::set<std::string>& there) const {
  LanguageServer::Texts texts = with_draft ? draft_texts() : old_texts();
  for (const std::string& path : asked) {
    const std::string file = check_.draft.full(path);
    const bool is_gone =
        with_draft && std::ranges::any_of(check_.request.files, [&](const ChangedFile& changed) {
          return changed.path == path && (!changed.after || changed.rename_to);
        });
    if (!texts.contains(file) && !is_gone) {
      if (auto text = check_.draft.disk_text(file)) texts[file] = *std::move(text);
    }
    if (texts.contains(file)) there.insert(file);
  }
  return texts;
}

// For what a server only knows from the disk: a new one that sees the folder with the draft in it.
Result<Problems> AskedServer::in_view(const std::set<std::string>& asked, bool with_draft) const {
  std::set<std::string> there;
  const LanguageServer::Texts texts = texts_of(asked, with_draft, there);
  SandboxFolder folder = check_.draft.view(with_draft);
  folder.hides_git = true;
  auto server = std::make_shared<LanguageServer>(command, std::move(folder));
  auto problems = server->diagnose(texts, there, check_.task.stop);
  if (with_draft) of_view_ = std::move(server);
  return problems;
}

Result<Problems> AskedServer::after(const std::set<std::string>& asked) const {
  was_asked_ = true;
  if (needs_view()) return in_view(asked, true);
  std::set<std::string> there;
  const LanguageServer::Texts texts = texts_of(asked, true, there);
  return server().process->diagnose(texts, there, check_.task.stop);
}

Result<bool> AskedServer::knows(const ChangedFile& file, size_t offset) const {
  if (needs_view() && !of_view_)
    return fail(Error::Code::unavailable, command.name + " was not asked");
  LanguageServer& process = needs_view() ? *of_view_ : *server().process;
  if (auto shown = process.diagnose(draft_texts(), {}, check_.task.stop); !shown)
    return std::unexpected(shown.error());
  return process.knows(check_.draft.full(file.last_path()), *file.after, offset, check_.task.stop);
}

Result<std::optional<size_t>> AskedServer::unreported(const Trial& trial, const std::string& path,
                                                      const std::set<std::string>& asked) const {
  std::set<std::string> there;
  LanguageServer::Texts texts = texts_of(asked, true, there);
  if (there.empty()) return std::nullopt;
  LanguageServer& process = needs_view() ? *of_view_ : *server().process;
  const std::string file = check_.draft.full(path);
  texts[file] = trial.text;
  const auto problems = process.diagnose(texts, there, check_.task.stop);
  if (!problems) return std::unexpected(problems.error());
  std::set<size_t> lines;  // with an error
  for (const auto& [of, found] : *problems) {
    for (size_t i = 0; i < found.list.size(); ++i) {
      if (found.list[i].severity != Severity::error) continue;
      const auto elsewhere = found.elsewhere.find(i);
      if (elsewhere != found.elsewhere.end() && elsewhere->second.path == file)
        lines.insert(elsewhere->second.line);
      else if (of == file)
        lines.insert(found.list[i].lines.begin);
    }
  }
  for (size_t i = 0; i < trial.lines.size(); ++i)
    if (!lines.contains(trial.lines[i])) return i;
  return std::nullopt;
}

Result<AskedServer::BothSides> AskedServer::both(const std::set<std::string>& asked) const {
  Result<Problems> old = Problems(), drafted = Problems();
  if (needs_view()) {
    old = in_view(asked, false);
    if (old) drafted = after(asked);
  } else if (asked.size() <= kMany) {
    old = before(asked);
    if (old) drafted = after(asked);
  } else {  // what has no problem now has no new one, whatever it was before
    drafted = after(asked);
    std::set<std::string> had;
    for (const ChangedFile& file : files)
      if (asked.contains(file.path)) had.insert(file.path);
    if (drafted) {
      for (const auto& [path, problems] : *drafted)
        if (!problems.list.empty()) had.insert(check_.draft.relative(path));
      old = before(had);
    }
  }
  if (!old) return std::unexpected(old.error());
  if (!drafted) return std::unexpected(drafted.error());
  return BothSides{*std::move(old), *std::move(drafted)};
}

AskedServer AskedServer::of_whole_units() const {
  if (command.kind->name != "clangd") return *this;
  ServerCommand whole = command;
  whole.reads_whole_units = true;
  return {check_, key + " whole", std::move(whole), files};
}

}  // namespace bodkin
