#include "agent/checkers/language_server.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "agent/checkers/dependents.h"
#include "agent/rpc/lsp_structs.h"
#include "agent/rpc/uri.h"
#include "agent/support/program.h"
#include "agent/support/read_file.h"
#include "agent/support/shown_text.h"
#include "grammars/languages.h"

namespace bodkin {

namespace {

using nlohmann::json;
using namespace std::chrono_literals;

constexpr auto kStartLimit = 20s;        // of `initialize`
constexpr auto kFirstAnswerLimit = 45s;  // while it reads the project
constexpr auto kLeastAnswerLimit = 10s;
constexpr auto kWriteLimit = 10s;
constexpr auto kStopGrace = 200ms;
constexpr auto kQuiet = 150ms;   // after the last publish of a server that may publish twice
constexpr auto kIdleLimit = 2s;  // of clangd's word that it is idle
constexpr int kMostPulls = 5;    // of one file, if the server takes its answer back
constexpr size_t kMostDeaths = 3;
constexpr auto kDeathsWithin = 10min;
constexpr size_t kMostOpen = 64;        // documents that stay open without being asked about
constexpr size_t kMostProblems = 5000;  // of one file
constexpr size_t kMostMessage = 2000;   // bytes
constexpr size_t kMostDocument = 16u << 20;

std::string language_id(const std::string& path) {
  if (path.ends_with(".jsx")) return "javascriptreact";
  const Language* language = language_of(path);
  return language ? std::string(language->id) : "plaintext";
}

json configuration_for(const json& settings, const json& params) {
  json answers = json::array();
  for (const json& item : rpc::member(params, "items")) {
    const std::string section = rpc::text_member(item, "section");
    answers.push_back(settings.contains(section) ? settings[section] : json());
  }
  return answers;
}

json capabilities() {
  return {
      {"general", {{"positionEncodings", {"utf-8", "utf-16"}}}},
      {"window", {{"workDoneProgress", true}}},
      {"workspace",
       {{"configuration", true},
        {"workspaceFolders", true},
        {"didChangeConfiguration", {{"dynamicRegistration", true}}},
        {"didChangeWatchedFiles", {{"dynamicRegistration", true}}}}},
      {"textDocument",
       {{"synchronization", {{"dynamicRegistration", true}}},
        {"diagnostic", {{"dynamicRegistration", true}, {"relatedDocumentSupport", false}}},
        {"publishDiagnostics",
         {{"versionSupport", true}, {"relatedInformation", true}, {"codeActionsInline", false}}}}}};
}

}  // namespace

LanguageServer::LanguageServer(ServerCommand command, std::string root,
                               std::optional<SandboxFolder> view)
    : command_(std::move(command)), root_(std::move(root)), view_(std::move(view)) {}

Result<void> LanguageServer::start(const std::stop_token& stop) {
  if (connection_ && is_ready_) return {};
  this->stop();
  std::erase_if(deaths_, [](auto when) { return when + kDeathsWithin < Clock::now(); });
  if (deaths_.size() >= kMostDeaths) {
    return fail(Error::Code::unavailable,
                fmt::format("{} failed {} times and is not started again", name(), deaths_.size()));
  }
  const auto fixed = words_of_list(kind().fixed_variables);
  const auto also = words_of_list(kind().variables);
  rpc::Command command;
  command.name = name();
  command.arguments = command_.arguments;
  command.folder = root_;
  command.environment = environment_for(Variables::basic, also, fixed);
  std::string first_input;
  if (view_) {
    SandboxSettings settings;
    settings.environment = also;
    auto walled = sandboxed_server(command.arguments, settings, fixed, stop, {*view_});
    if (!walled) return fail(Error::Code::unavailable, walled.error().message);
    command.arguments = std::move(walled->arguments);
    command.environment = environment_for(Variables::basic, {}, {});
    command.folder = "/";
    first_input = std::move(walled->first_input);
  } else if (const auto nice = find_program("nice")) {
    command.arguments.insert(command.arguments.begin(), {*nice, "-n", "5"});
  }
  auto child = rpc::Child::start(command);
  if (!child) return std::unexpected(lost(child.error()));
  if (!first_input.empty()) {
    if (auto written = (*child)->write(first_input); !written)
      return std::unexpected(lost(written.error()));
  }
  connection_ = std::make_unique<rpc::ChildConnection>(std::move(*child), rpc::kLsp);
  set_handlers();
  if (auto greeted = greet(stop); !greeted) return std::unexpected(lost(greeted.error()));
  is_ready_ = true;
  return {};
}

void LanguageServer::set_handlers() {
  const auto answer = [this](const char* method, json value) {
    connection_->on_request(method,
                            [value](const json&, rpc::Reply reply) { reply.result(value); });
  };
  const std::string uri = rpc::uri_of_path(root_);
  answer("window/workDoneProgress/create", nullptr);
  answer("window/showMessageRequest", nullptr);  // nobody is there to choose
  answer("window/showDocument", {{"success", false}});
  connection_->on_request(
      "client/registerCapability", [this](const json& params, rpc::Reply reply) {
        for (const json& item : rpc::member(params, "registrations"))
          has_pull_ |= rpc::text_member(item, "method") == "textDocument/diagnostic";
        reply.result(nullptr);
      });
  answer("client/unregisterCapability", nullptr);
  answer("workspace/applyEdit", {{"applied", false}});
  answer("workspace/diagnostic/refresh", nullptr);
  answer("workspace/semanticTokens/refresh", nullptr);
  answer("workspace/inlayHint/refresh", nullptr);
  answer("workspace/codeLens/refresh", nullptr);
  answer("workspace/workspaceFolders", json::array({{{"uri", uri}, {"name", "workspace"}}}));
  connection_->on_request("workspace/configuration", [settings = json::parse(kind().settings)](
                                                         const json& params, rpc::Reply reply) {
    reply.result(configuration_for(settings, params));
  });
  connection_->on_notification("textDocument/publishDiagnostics",
                               [this](const json& params) { take_published(params); });
  connection_->on_notification("textDocument/clangd.fileStatus", [this](const json& params) {
    const auto path = path_by_uri_.find(rpc::text_member(params, "uri"));
    if (path == path_by_uri_.end()) return;
    has_status_ = true;
    documents_[path->second].is_idle = rpc::text_member(params, "state") == "idle";
  });
}

Result<void> LanguageServer::greet(const std::stop_token& stop) {
  const std::string uri = rpc::uri_of_path(root_);
  auto greeted = connection_->request(
      "initialize",
      {{"processId", nullptr},
       {"clientInfo", {{"name", "bodkin"}}},
       {"rootUri", uri},
       {"rootPath", root_},
       {"workspaceFolders", json::array({{{"uri", uri}, {"name", "workspace"}}})},
       {"initializationOptions", command_.options},
       {"capabilities", capabilities()}},
      stop, kStartLimit);
  if (!greeted) return std::unexpected(greeted.error());
  encoding_ = rpc::text_member(*greeted, "capabilities.positionEncoding") == "utf-8"
                  ? rpc::Encoding::utf8
                  : rpc::Encoding::utf16;
  has_pull_ = rpc::member(*greeted, "capabilities.diagnosticProvider").is_object();
  if (auto told = notify("initialized", json::object(), stop); !told) return told;
  return notify("workspace/didChangeConfiguration", {{"settings", json::parse(kind().settings)}},
                stop);
}

Result<void> LanguageServer::notify(const char* method, json params, const std::stop_token& stop) {
  return connection_->notify(method, std::move(params), stop, kWriteLimit);
}

bool LanguageServer::is_publisher() const {
  return kind().reporting == Reporting::versions || kind().reporting == Reporting::clangd;
}

void LanguageServer::take_published(const json& params) {
  heard_ = Clock::now();
  if (!is_publisher()) return;
  const auto path = path_by_uri_.find(rpc::text_member(params, "uri"));
  if (path == path_by_uri_.end()) return;
  Document& document = documents_[path->second];
  // A set without a version, or for another one, may be about any text.
  if (rpc::version_at(params, "version") != document.version) return;
  document.published = rpc::member(params, "diagnostics");
}

// It is of no use any more: the next look starts it again.
Error LanguageServer::lost(const Error& error) {
  if (error.code != Error::Code::cancelled) deaths_.push_back(Clock::now());
  stop();
  std::string message = error.message;
  while (message.ends_with('.')) message.pop_back();
  return {error.code, message};
}

Result<void> LanguageServer::show(const std::string& path, const Text& text, bool again,
                                  const std::stop_token& stop) {
  const auto found = documents_.find(path);
  if (found == documents_.end()) {
    Document document{.text = text, .uri = rpc::uri_of_path(path), .version = 1};
    path_by_uri_[document.uri] = path;
    const json item = {{"uri", document.uri},
                       {"languageId", language_id(path)},
                       {"version", document.version},
                       {"text", text.str()}};
    document.sent = ++sent_;
    const auto bytes = view_ ? Result<std::string>("") : read_file(path, kMostDocument);
    if (!bytes || !(Text(*bytes) == text)) count_change(path);
    document.headers = headers_;
    documents_.emplace(path, std::move(document));
    return notify("textDocument/didOpen", {{"textDocument", item}}, stop);
  }
  Document& document = found->second;
  const bool is_changed = !(document.text == text);
  if (!is_changed && !again) return {};
  document.text = text;
  document.published.reset();
  document.is_idle = false;
  document.sent = ++sent_;
  if (is_changed) count_change(path);
  const bool has_new_headers = std::exchange(document.headers, headers_) != headers_;
  json params = {{"textDocument", {{"uri", document.uri}, {"version", ++document.version}}},
                 {"contentChanges", json::array({{{"text", text.str()}}})}};
  if (kind().reporting == Reporting::clangd) {
    params["wantDiagnostics"] = true;
    // It compares the times and sizes of headers, and thus sees no change of the same size.
    if (!is_changed || has_new_headers) params["forceRebuild"] = true;
  }
  return notify("textDocument/didChange", std::move(params), stop);
}

void LanguageServer::count_change(const std::string& path) {
  if (!is_unit(path)) ++headers_;
  ++world_;
  last_change_ = sent_;
}

Result<void> LanguageServer::close(const std::string& path, const std::stop_token& stop) {
  const auto found = documents_.find(path);
  if (found == documents_.end()) return {};
  ++sent_;
  const std::string uri = found->second.uri;
  path_by_uri_.erase(uri);
  documents_.erase(found);
  return notify("textDocument/didClose", {{"textDocument", {{"uri", uri}}}}, stop);
}

Result<void> LanguageServer::show_all(const Texts& texts, const std::stop_token& stop) {
  // What it was shown before, but is not to see any more.
  std::vector<std::string> rest;
  for (const auto& [path, document] : documents_) {
    if (!texts.contains(path)) rest.push_back(path);
  }
  std::ranges::sort(rest, {}, [&](const std::string& path) { return documents_[path].used; });
  for (const std::string& path : rest) {
    const auto bytes = read_file(path, kMostDocument);
    const bool stays = bytes && documents_.size() <= kMostOpen;
    if (bytes && !(documents_[path].text == Text(*bytes))) {
      if (auto shown = show(path, Text(*bytes), false, stop); !shown) return shown;
    }
    if (!bytes) count_change(path);
    if (!stays)
      if (auto closed = close(path, stop); !closed) return closed;
  }
  // New files before the files that name them, and headers before the units that include them.
  std::vector<const Texts::value_type*> order;
  for (const auto& item : texts) order.push_back(&item);
  std::ranges::stable_sort(order, {}, [&](const Texts::value_type* item) {
    const std::string& path = item->first;
    const bool is_header = kind().imports == Imports::include && !is_unit(path);
    std::error_code error;
    const bool is_new = !std::filesystem::exists(path, error);
    return is_new && is_header ? 0 : is_header ? 1 : is_new ? 2 : 3;
  });
  for (const auto* item : order) {
    if (auto shown = show(item->first, item->second, false, stop); !shown) return shown;
    documents_[item->first].used = look_;
  }
  return {};
}

Result<std::map<std::string, FileProblems>> LanguageServer::look(const Texts& texts,
                                                                 const std::set<std::string>& asked,
                                                                 const std::stop_token& stop) {
  if (auto started = start(stop); !started) return std::unexpected(started.error());
  ++look_;
  sent_before_ = sent_;
  const auto began = Clock::now();
  if (auto shown = show_all(texts, stop); !shown) return std::unexpected(lost(shown.error()));
  std::set<std::string> stale;
  for (const std::string& path : asked) {
    if (documents_[path].checked != world_) stale.insert(path);
  }
  auto taken = is_publisher() ? take_pushed(stale, stop) : take_pulled(stale, stop);
  if (!taken) return std::unexpected(lost(taken.error()));
  std::map<std::string, FileProblems> result;
  for (const std::string& path : asked) result[path] = documents_[path].problems;
  if (!stale.empty()) {
    const auto took = std::chrono::duration_cast<Milliseconds>(Clock::now() - began);
    // A long look at many files says little about a later one.
    slowest_ = std::max(slowest_, took);
    has_answered_ = true;
  }
  return result;
}

Result<void> LanguageServer::take_pushed(const std::set<std::string>& stale,
                                         const std::stop_token& stop) {
  if (stale.empty()) return {};
  // A set for the right version of one file may have been made with the old text of another, if
  // that was sent later. Such a file is sent again: only what is published for that counts.
  const bool is_clangd = kind().reporting == Reporting::clangd;
  for (const std::string& path : stale) {
    const Document& document = documents_[path];
    if (document.used == look_ && document.sent > sent_before_ && document.sent >= last_change_)
      continue;
    if (auto shown = show(path, Text(document.text), true, stop); !shown) return shown;
  }
  const auto limit =
      has_answered_ ? std::clamp<Milliseconds>(8 * slowest_, kLeastAnswerLimit, kFirstAnswerLimit)
                    : Milliseconds(kFirstAnswerLimit);
  const auto is_there = [&] {
    return std::ranges::all_of(
        stale, [&](const std::string& path) { return documents_[path].published.has_value(); });
  };
  auto waited = connection_->wait_until(is_there, stop, limit);
  if (!waited) return std::unexpected(waited.error());
  if (!*waited) {
    return fail(Error::Code::unavailable,
                fmt::format("{} reported nothing within {} s", name(), limit.count() / 1000));
  }
  if (is_clangd && has_status_) {
    const auto is_idle = [&] {
      return std::ranges::all_of(stale,
                                 [&](const std::string& path) { return documents_[path].is_idle; });
    };
    waited = connection_->wait_until(is_idle, stop, kIdleLimit);
    if (!waited) return std::unexpected(waited.error());
    if (!*waited)
      return fail(Error::Code::unavailable, name() + " published while it was still working");
  } else {
    const auto is_quiet = [&] { return Clock::now() >= heard_ + kQuiet; };
    const auto end = Clock::now() + kFirstAnswerLimit;
    while (!is_quiet()) {
      if (Clock::now() > end) return fail(Error::Code::unavailable, name() + " is never quiet");
      const auto left = std::chrono::ceil<Milliseconds>(heard_ + kQuiet - Clock::now());
      waited = connection_->wait_until(is_quiet, stop, std::max(left, Milliseconds(1)));
      if (!waited) return std::unexpected(waited.error());
    }
  }
  for (const std::string& path : stale) {
    Document& document = documents_[path];
    document.problems = read(*document.published, document.text);
    document.checked = world_;
  }
  return {};
}

Result<void> LanguageServer::take_pulled(const std::set<std::string>& stale,
                                         const std::stop_token& stop) {
  if (kind().reporting == Reporting::pull) {
    const auto offers = connection_->wait_until([this] { return has_pull_; }, stop, kStartLimit);
    if (!offers) return std::unexpected(offers.error());
  }
  if (kind().reporting == Reporting::pull && !has_pull_) {
    return fail(Error::Code::unavailable,
                name() + " is too old: it does not offer to be asked for problems");
  }
  for (const std::string& path : stale) {
    Document& document = documents_[path];
    auto list = kind().reporting == Reporting::tsserver
                    ? ask_tsserver("syntacticDiagnosticsSync", path, stop)
                    : pull(document, path, stop);
    if (!list) return std::unexpected(list.error());
    if (kind().reporting == Reporting::tsserver) {
      const auto semantic = ask_tsserver("semanticDiagnosticsSync", path, stop);
      if (!semantic) return std::unexpected(semantic.error());
      list->insert(list->end(), semantic->begin(), semantic->end());
    }
    document.problems = read(*list, document.text);
    document.checked = world_;
  }
  return {};
}

Result<json> LanguageServer::pull(const Document& document, const std::string& path,
                                  const std::stop_token& stop) {
  for (int i = 0; i < kMostPulls; ++i) {
    auto answer =
        connection_->request("textDocument/diagnostic", {{"textDocument", {{"uri", document.uri}}}},
                             stop, has_answered_ ? kFirstAnswerLimit / 2 : kFirstAnswerLimit);
    if (answer) {
      const json& items = rpc::member(*answer, "items");
      if (rpc::text_member(*answer, "kind") == "full" && items.is_array()) return items;
      return fail(Error::Code::unavailable, name() + " did not answer with a list of problems");
    }
    // It may take its answer back (ServerCancelled, ContentModified), to be asked again.
    const auto code = rpc::version_at(connection_->last_error(), "code").value_or(0);
    if (code != -32802 && code != -32801) return std::unexpected(answer.error());
  }
  return fail(Error::Code::unavailable, fmt::format("{} gave no answer for {}", name(), path));
}

// As LSP's diagnostics. tsserver counts lines and UTF-16 units from 1.
Result<json> LanguageServer::ask_tsserver(const char* command, const std::string& path,
                                          const std::stop_token& stop) {
  const auto answer = connection_->request(
      "workspace/executeCommand",
      {{"command", "typescript.tsserverRequest"}, {"arguments", {command, {{"file", path}}}}}, stop,
      has_answered_ ? kFirstAnswerLimit / 2 : kFirstAnswerLimit);
  if (!answer) return std::unexpected(answer.error());
  const json& body = rpc::member(*answer, "body");
  if (!body.is_array() || !rpc::flag_member(*answer, "success"))
    return fail(Error::Code::unavailable, name() + " did not answer with a list of problems");
  json list = json::array();
  const auto place = [](const json& at) {
    const auto line = rpc::version_at(at, "line").value_or(1);
    const auto offset = rpc::version_at(at, "offset").value_or(1);
    return json{{"line", std::max<int64_t>(line - 1, 0)},
                {"character", std::max<int64_t>(offset - 1, 0)}};
  };
  for (const json& item : body) {
    const std::string category = rpc::text_member(item, "category");
    const int severity = category == "error" ? 1 : category == "warning" ? 2 : 4;
    list.push_back(
        {{"range",
          {{"start", place(rpc::member(item, "start"))}, {"end", place(rpc::member(item, "end"))}}},
         {"severity", severity},
         {"code", rpc::member(item, "code")},
         {"source", "typescript"},
         {"message", rpc::text_member(item, "text")}});
  }
  return list;
}

FileProblems LanguageServer::read(const json& list, const Text& text) const {
  FileProblems problems;
  if (!list.is_array()) return problems;
  for (const json& item : list) {
    if (problems.list.size() >= kMostProblems) break;
    const auto read = rpc::published_diagnostics(json::array({item}));
    if (read.empty()) continue;
    Diagnostic diagnostic;
    diagnostic.begin_byte = rpc::to_offset(text, read[0].range.start, encoding_);
    diagnostic.end_byte = rpc::to_offset(text, read[0].range.end, encoding_);
    const size_t first = text.line_of(diagnostic.begin_byte);
    diagnostic.lines = {first, std::max(text.line_of(diagnostic.end_byte), first) + 1};
    diagnostic.severity = static_cast<Severity>(read[0].severity);
    diagnostic.message = read[0].message.substr(0, kMostMessage);
    diagnostic.source = read[0].source;
    diagnostic.code = read[0].code;
    const json& related = rpc::member(item, "relatedInformation");
    if (diagnostic.message.starts_with("In included file:") && related.is_array() &&
        !related.empty()) {
      const auto path = rpc::path_of_uri(rpc::text_member(related[0], "location.uri"));
      const auto range = rpc::decode<rpc::Range>(rpc::member(related[0], "location.range"));
      if (path && range) problems.elsewhere[problems.list.size()] = {*path, range->start.line};
    }
    problems.list.push_back(std::move(diagnostic));
  }
  return problems;
}

void LanguageServer::disk_changed(const std::vector<DiskChange>& changes) {
  ++world_;
  ++headers_;
  if (!connection_ || changes.empty()) return;
  json list = json::array();
  for (const DiskChange& change : changes)
    list.push_back({{"uri", rpc::uri_of_path(change.path)}, {"type", change.type}});
  (void)notify("workspace/didChangeWatchedFiles", {{"changes", std::move(list)}}, {});
}

void LanguageServer::stop() {
  if (connection_ && is_ready_) {
    (void)connection_->request("shutdown", nullptr, {}, kStopGrace);
    (void)connection_->notify("exit", nullptr, {}, kStopGrace);
  }
  if (connection_) connection_->stop(kStopGrace);
  connection_.reset();
  documents_.clear();
  path_by_uri_.clear();
  is_ready_ = has_answered_ = has_status_ = false;
  slowest_ = {};
}

}  // namespace bodkin
