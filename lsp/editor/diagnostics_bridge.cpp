#include "lsp/editor/diagnostics_bridge.h"

#include <fmt/format.h>

#include <algorithm>

namespace bodkin::lsp {

namespace {

using namespace std::chrono_literals;

// A server may publish in pieces (the parser's problems first, then the checker's).
constexpr auto kQuiet = 300ms;
constexpr size_t kMaxFiles = 10'000;  // with problems

}  // namespace

bool is_own(const Json& diagnostic) { return text_member(diagnostic, "source") == "bodkin"; }

std::vector<Diagnostic> diagnostics_of(const Json& list, const Text* text, Encoding encoding) {
  std::vector<Diagnostic> result;
  for (PublishedDiagnostic& each : published_diagnostics(list)) {
    if (each.source == "bodkin") continue;
    const auto& [start, end] = each.range;
    Diagnostic diagnostic;
    if (text) {
      diagnostic.begin_byte = to_offset(*text, start, encoding);
      diagnostic.end_byte = std::max(diagnostic.begin_byte, to_offset(*text, end, encoding));
      diagnostic.lines = {text->line_of(diagnostic.begin_byte),
                          text->line_of(diagnostic.end_byte) + 1};
    } else {
      diagnostic.lines = {start.line, std::max(start.line, end.line) + 1};
    }
    diagnostic.severity = static_cast<Severity>(each.severity);
    diagnostic.message = std::move(each.message);
    diagnostic.source = std::move(each.source);
    diagnostic.code = std::move(each.code);
    result.push_back(std::move(diagnostic));
  }
  return result;
}

void DiagnosticsBridge::receive(const DiagnosticsParams& params) {
  if (!params.complete) return;  // the rest of it comes
  const Document* document = documents_.find(params.uri);
  const std::string path = document ? document->path : documents_.path_of(params.uri);
  File& file = files_[path];
  file.uri = params.uri;
  file.raw = Json::array();
  if (params.diagnostics.is_array()) {
    for (const Json& item : params.diagnostics) {
      if (!is_own(item)) file.raw.push_back(item);
    }
  }
  if (file.problems.version != params.document_version) file.problems.reported.reset();
  file.problems.version = params.document_version;
  if (params.reported) file.problems.reported = {params.reported->begin(), params.reported->end()};
  if (params.servers) file.problems.servers = {params.servers->begin(), params.servers->end()};
  file.problems.heard = ++count_;
  read(file, document);
  if (!document) forget_closed();
  for (auto& [number, wait] : waits_) {
    // A server that publishes after it has answered cannot be relied on to have reported by then.
    const auto pulled = wait.pulled.find(path);
    if (pulled != wait.pulled.end()) {
      for (const std::string& server : pulled->second.silent) {
        if (!params.reported ||
            std::ranges::find(*params.reported, server) != params.reported->end())
          late_.insert(server);
      }
    }
    loop_.post([this, number = number] { check_wait(number); });
  }
}

// Places are in the text that they were shown on, or as near to it as we can come.
void DiagnosticsBridge::read(File& file, const Document* document) {
  file.problems.text = document ? std::optional(document->text) : std::nullopt;
  file.problems.list =
      diagnostics_of(file.raw, document ? &document->text : nullptr, documents_.encoding());
}

void DiagnosticsBridge::document_closed(const std::string& uri) {
  const auto found = files_.find(documents_.path_of(uri));
  if (found == files_.end()) return;
  if (!waits_.empty()) return;  // they compare with the text
  if (found->second.raw.empty()) {
    files_.erase(found);
  } else {
    read(found->second, nullptr);
  }
}

// For a file that is not open, silence is as good as no problems. If a client reports too many
// files, those last heard of longest ago go first.
void DiagnosticsBridge::forget_closed() {
  if (files_.size() <= kMaxFiles) return;
  const auto is_open = [&](const auto& entry) {
    return documents_.find_path(entry.first) != nullptr;
  };
  std::erase_if(files_, [&](const auto& entry) {
    return (entry.second.raw.empty() || entry.second.problems.heard + kMaxFiles / 2 < count_) &&
           !is_open(entry);
  });
}

// A client that holds changes back may send the diagnostics of a text before the text.
void DiagnosticsBridge::document_changed(const std::string& uri) {
  const Document* document = documents_.find(uri);
  const auto found = document ? files_.find(document->path) : files_.end();
  if (found == files_.end() || found->second.problems.version != document->version) return;
  read(found->second, document);
  for (const auto& [number, wait] : waits_) {
    loop_.post([this, number = number] { check_wait(number); });
  }
}

void DiagnosticsBridge::folders_changed() {
  std::map<std::string, File> files;
  for (auto& [path, file] : files_) {
    std::string now = documents_.path_of(file.uri);
    files.insert_or_assign(std::move(now), std::move(file));
  }
  files_ = std::move(files);
}

void DiagnosticsBridge::wait_for_diagnostics(std::vector<std::string> uris, Problems before,
                                             std::chrono::milliseconds patience,
                                             std::function<void(const WaitResult&)> done) {
  const int number = next_wait_++;
  Wait& wait = waits_[number];
  wait = {std::move(uris), std::move(before), patience, {}, std::move(done)};
  for (const std::string& uri : wait.uris) {
    if (const Document* document = documents_.find(uri); document && pull) {
      ask_for(number, *document);
    }
  }
  loop_.post([this, number] { check_wait(number); });
  loop_.post_after(patience, [this, number] {
    const auto found = waits_.find(number);
    if (found == waits_.end()) return;
    const auto decided = result_of(found->second);
    end(number,
        decided ? *decided : WaitResult{Freshness::unknown, missing_servers(found->second)});
  });
}

std::string DiagnosticsBridge::missing_servers(const Wait& wait) const {
  const double seconds = static_cast<double>(wait.patience.count()) / 1000;
  for (const std::string& uri : wait.uris) {
    const Document* document = documents_.find(uri);
    if (!document || !is_heard(wait, *document)) continue;
    if (const auto silent = silent_servers(wait, *document); !silent.empty()) {
      return fmt::format("{} did not report diagnostics for the new text within {:.3g} s",
                         fmt::join(silent, " and "), seconds);
    }
  }
  return fmt::format("no language server reported diagnostics for the new text within {:.3g} s",
                     seconds);
}

void DiagnosticsBridge::ask_for(int number, const Document& document) {
  pull(document, [this, number, path = document.path, version = document.version](
                     const Result<Json>& answer) { answered(number, path, version, answer); });
}

void DiagnosticsBridge::answered(int number, const std::string& path, int64_t version,
                                 const Result<Json>& answer) {
  const auto found = waits_.find(number);
  const Document* document = documents_.find_path(path);
  if (found == waits_.end() || !document || !answer) return;
  Wait& wait = found->second;
  if (document->version != version) return ask_for(number, *document);  // the user typed
  if (member(*answer, "documentVersion") != Json(version)) return;
  Pulled pulled;
  const Json& servers = member(*answer, "servers");
  pulled.by_nobody = !servers.is_array() || servers.empty();
  if (servers.is_array()) {
    for (const Json& server : servers) {
      const std::string name = text_member(server, "name"), state = text_member(server, "state");
      if (state == "answered") {
        pulled.later.insert(name);
      } else if (state != "pulled") {
        pulled.failed = name.empty() ? "a language server" : name;
      }
    }
  }
  const bool all_pulled = !pulled.by_nobody && pulled.later.empty() && pulled.failed.empty();
  if (all_pulled && member(*answer, "diagnostics").is_array()) {
    File& file = files_[path];
    file.uri = document->uri;
    file.raw = Json::array();
    for (const Json& item : (*answer)["diagnostics"]) {
      if (!is_own(item)) file.raw.push_back(item);
    }
    file.problems.version = version;
    file.problems.heard = ++count_;
    read(file, document);
  }
  const std::set<std::string> later = pulled.later;
  Pulled& kept = wait.pulled[path] = std::move(pulled);
  kept.silent = silent_servers(wait, *document);
  for (const std::string& server : later) {
    if (!kept.silent.contains(server)) publishes_first_.insert(server);
  }
  check_wait(number);
}

bool DiagnosticsBridge::is_heard(const Wait& wait, const Document& document) const {
  const auto found = files_.find(document.path);
  if (found == files_.end()) return false;
  const EditorProblems& now = found->second.problems;
  if (now.version) return *now.version == document.version;
  const auto before = wait.before.find(document.path);
  return before == wait.before.end() || now.heard > before->second.heard;
}

// Decides: when diagnostics are current.
std::optional<WaitResult> DiagnosticsBridge::result_of(const Wait& wait,
                                                       const Document& document) const {
  const auto unknown = [](std::string why) {
    return WaitResult{Freshness::unknown, std::move(why)};
  };
  const auto found = files_.find(document.path);
  const auto before = wait.before.find(document.path);
  // A server that exited also removed its diagnostics; that is not "clean".
  if (found != files_.end() && found->second.problems.servers) {
    const auto& now = *found->second.problems.servers;
    if (before != wait.before.end() && before->second.servers) {
      for (const std::string& server : *before->second.servers) {
        if (!now.contains(server)) return unknown(server + " has exited");
      }
    }
    if (now.empty()) return unknown("no language server handles " + document.path);
  }
  const bool heard = is_heard(wait, document);
  if (pull) {
    const auto pulled = wait.pulled.find(document.path);
    if (pulled == wait.pulled.end()) return std::nullopt;
    const Pulled& answer = pulled->second;
    if (answer.by_nobody) return unknown("no language server handles " + document.path);
    if (!answer.failed.empty()) return unknown(answer.failed + " does not answer");
    if (answer.later.empty()) return WaitResult{Freshness::fresh, ""};
  }
  const std::set<std::string> silent = silent_servers(wait, document);
  if (!silent.empty()) {
    const bool all_punctual = pull && std::ranges::all_of(silent, [&](const std::string& server) {
                                return publishes_first_.contains(server) && !late_.contains(server);
                              });
    if (!all_punctual) return std::nullopt;
    return WaitResult{heard ? Freshness::fresh : Freshness::unchanged, ""};
  }
  if (!heard) return std::nullopt;
  return WaitResult{Freshness::fresh, ""};
}

// The servers that have not yet reported on the current text, as far as the client identifies its
// sources.
std::set<std::string> DiagnosticsBridge::silent_servers(const Wait& wait,
                                                        const Document& document) const {
  std::set<std::string> silent;
  const auto found = files_.find(document.path);
  const EditorProblems* now = found == files_.end() ? nullptr : &found->second.problems;
  if (const auto pulled = wait.pulled.find(document.path); pulled != wait.pulled.end()) {
    silent = pulled->second.later;
  } else if (now && now->servers) {
    silent = *now->servers;
  }
  if (!is_heard(wait, document)) return silent;
  if (now && now->reported) {
    for (const std::string& server : *now->reported) silent.erase(server);
  } else if (silent.size() == 1) {
    silent.clear();
  }
  return silent;
}

std::optional<WaitResult> DiagnosticsBridge::result_of(const Wait& wait) const {
  WaitResult all{Freshness::fresh, ""};
  bool open = false;
  for (const std::string& uri : wait.uris) {
    const Document* document = documents_.find(uri);
    if (!document) {
      return WaitResult{Freshness::unknown, documents_.path_of(uri) + " is not open in the editor"};
    }
    const auto one = result_of(wait, *document);
    if (!one) {
      open = true;
    } else if (one->freshness == Freshness::unknown) {
      return one;
    } else if (one->freshness == Freshness::unchanged) {
      all.freshness = Freshness::unchanged;
    }
  }
  return open ? std::nullopt : std::optional(all);
}

// Ends the wait if it is decided or nothing was heard for a while.
void DiagnosticsBridge::check_wait(int number) {
  const auto found = waits_.find(number);
  if (found == waits_.end()) return;
  const auto decided = result_of(found->second);
  if (!decided) return;
  if (decided->freshness == Freshness::unknown) return end(number, *decided);
  loop_.post_after(kQuiet, [this, number, now = count_] {
    const auto still = waits_.find(number);
    if (still == waits_.end() || now != count_) return;
    if (const auto result = result_of(still->second)) end(number, *result);
  });
}

void DiagnosticsBridge::end(int number, const WaitResult& result) {
  const auto found = waits_.find(number);
  if (found == waits_.end()) return;
  const auto done = std::move(found->second.done);
  waits_.erase(found);
  done(result);
}

Diagnostics DiagnosticsBridge::current(const std::string& path,
                                       std::optional<int64_t> version) const {
  const auto found = files_.find(path);
  if (found == files_.end()) return {};
  const EditorProblems& problems = found->second.problems;
  const bool is_of_it = problems.version && problems.version == version;
  return {is_of_it ? Freshness::fresh : Freshness::unknown, problems.list};
}

const Json& DiagnosticsBridge::raw(const std::string& uri) const {
  static const Json kNone = Json::array();
  const auto found = files_.find(documents_.path_of(uri));
  return found == files_.end() ? kNone : found->second.raw;
}

Problems DiagnosticsBridge::problems() const {
  Problems result;
  for (const auto& [path, file] : files_) result[path] = file.problems;
  return result;
}

bool DiagnosticsBridge::is_up_to_date(const std::string& path) const {
  const auto found = files_.find(path);
  const Document* document = documents_.find_path(path);
  if (found == files_.end()) return false;
  return !document || !found->second.problems.version ||
         *found->second.problems.version == document->version;
}

}  // namespace bodkin::lsp
