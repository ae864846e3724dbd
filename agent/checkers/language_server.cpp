#include "agent/checkers/language_server.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "agent/checkers/dependents.h"
#include "agent/checkers/server_view.h"
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

constexpr auto kWriteLimit = 10s;
constexpr auto kStopGrace = 200ms;
constexpr size_t kMaxDeaths = 3;
constexpr auto kDeathsWithin = 10min;
constexpr size_t kMaxOpen = 64;  // documents that stay open without being asked about
constexpr size_t kMaxDocument = 16u << 20;
constexpr std::string_view kDeclaration = "typedef int bodkin_reads_the_whole_unit;\n";

// `none`: for a section that nothing is known of.
json configuration_for(const json& settings, const json& params, const json& none) {
  json answers = json::array();
  for (const json& item : rpc::member(params, "items")) {
    const std::string section = rpc::text_member(item, "section");
    answers.push_back(settings.contains(section) ? settings[section] : none);
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

LanguageServer::LanguageServer(ServerCommand command, SandboxFolder view)
    : command_(std::move(command)), view_(std::move(view)), root_(view_.folder) {}

Result<void> LanguageServer::start(const std::stop_token& stop) {
  if (connection_ && is_ready_) return {};
  this->stop();
  std::erase_if(deaths_, [](auto when) { return when + kDeathsWithin < Clock::now(); });
  if (deaths_.size() >= kMaxDeaths) {
    return fail(Error::Code::unavailable,
                fmt::format("{} failed {} times and is not started again", name(), deaths_.size()));
  }
  auto fixed = words_of_list(kind().fixed_variables);
  if (kind().imports == Imports::go) fixed.push_back("GOFLAGS=" + go_flags_that_write_nothing());
  // Its own tools are not programs of the folder either: node, go, shellcheck, python.
  if (!command_.may_run_folder) fixed.push_back(search_path({root_}));
  const auto also = words_of_list(kind().variables);
  rpc::Command command;
  command.name = name();
  command.arguments = command_.arguments;
  command.folder = root_;
  command.environment = environment_for(Variables::basic, also, fixed);
  std::string first_input;
  // A server reports what it reads, so it must not find anything that no model may see. Without a
  // sandbox, it is not asked about files that lead there (ServerView::misses).
  if (!view_.is_live || sandbox_ability().kind != Confinement::none) {
    SandboxSettings settings = command_.sandbox;
    settings.environment = also;
    auto walled = sandboxed_server(command.arguments, settings, fixed, stop, {view_});
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
  connection_->be_patient(true);
  set_handlers();
  if (auto greeted = greet(stop); !greeted) return std::unexpected(lost(greeted.error()));
  is_ready_ = true;
  return {};
}

void LanguageServer::set_handlers() {
  const auto answer = [this](const char* method, const json& value) {
    connection_->handlers().on_request(
        method, [value](const json&, rpc::Reply reply) { reply.result(value); });
  };
  const std::string uri = rpc::uri_of_path(root_);
  answer("window/workDoneProgress/create", nullptr);
  answer("window/showMessageRequest", nullptr);  // nobody is there to choose
  answer("window/showDocument", {{"success", false}});
  connection_->handlers().on_request(
      "client/registerCapability", [this](const json& params, rpc::Reply reply) {
        for (const json& item : rpc::member(params, "registrations"))
          has_pull_ |= rpc::text_member(item, "method") == "textDocument/diagnostic";
        reply.result(nullptr);
      });
  answer("workspace/applyEdit", {{"applied", false}});
  for (const char* method : {"client/unregisterCapability", "workspace/diagnostic/refresh",
                             "workspace/semanticTokens/refresh", "workspace/inlayHint/refresh",
                             "workspace/codeLens/refresh"})
    answer(method, nullptr);
  answer("workspace/workspaceFolders", json::array({{{"uri", uri}, {"name", "workspace"}}}));
  connection_->handlers().on_request(
      "workspace/configuration",
      [settings = command_.settings, none = kind().name.empty() ? json::object() : json()](
          const json& params, rpc::Reply reply) {
        reply.result(configuration_for(settings, params, none));
      });
  connection_->handlers().on_notification("textDocument/publishDiagnostics",
                                          [this](const json& params) { take_published(params); });
  connection_->handlers().on_notification(
      "textDocument/clangd.fileStatus", [this](const json& params) {
        Document* const document = document_at(rpc::text_member(params, "uri"));
        if (!document) return;
        has_status_ = true;
        document->is_idle = rpc::text_member(params, "state") == "idle";
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
      stop, command_.timeout);
  if (!greeted) return std::unexpected(greeted.error());
  encoding_ = rpc::text_member(*greeted, "capabilities.positionEncoding") == "utf-8"
                  ? rpc::Encoding::utf8
                  : rpc::Encoding::utf16;
  version_ = rpc::text_member(*greeted, "serverInfo.version");
  has_pull_ = rpc::member(*greeted, "capabilities.diagnosticProvider").is_object();
  if (auto told = notify("initialized", json::object(), stop); !told) return told;
  return notify("workspace/didChangeConfiguration", {{"settings", command_.settings}}, stop);
}

Result<void> LanguageServer::notify(const char* method, json params, const std::stop_token& stop) {
  return connection_->notify(method, std::move(params), stop, kWriteLimit);
}

std::string LanguageServer::language_id(const std::string& path) const {
  if (path.ends_with(".jsx")) return "javascriptreact";
  const Language* language = language_of(path);
  return language ? std::string(language->id) : command_.language;
}

bool LanguageServer::is_publisher() const {
  if (kind().name.empty() && has_pull_) return false;
  return kind().reporting == Reporting::versions || kind().reporting == Reporting::clangd;
}

// It is of no use any more: the next look starts it again.
Error LanguageServer::lost(const Error& error) {
  const bool is_starved = connection_ && connection_->was_starved();  // by a busy machine
  if (error.code != Error::Code::cancelled && !is_starved) deaths_.push_back(Clock::now());
  stop();
  std::string message = without_period(error.message);
  if (!message.contains(name())) message = name() + ": " + message;  // it is the server's own
  return {error.code, message};
}

Result<void> LanguageServer::show(const std::string& path, const Text& text, bool again,
                                  const std::stop_token& stop) {
  const auto found = documents_.find(path);
  if (found == documents_.end()) {
    Document document{.text = text, .uri = rpc::uri_of_path(path), .version = 1};
    const json item = {{"uri", document.uri},
                       {"languageId", language_id(path)},
                       {"version", document.version},
                       {"text", shown_text(path, text)}};
    document.sent = ++sent_;
    const auto bytes = view_.is_live ? read_file(path, kMaxDocument) : Result<std::string>("");
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
                 {"contentChanges", json::array({{{"text", shown_text(path, text)}}})}};
  if (kind().reporting == Reporting::clangd) {
    params["wantDiagnostics"] = true;
    // It compares the times and sizes of headers, and thus sees no change of the same size.
    if (!is_changed || has_new_headers) params["forceRebuild"] = true;
  }
  return notify("textDocument/didChange", std::move(params), stop);
}

size_t LanguageServer::lines_before(const std::string& path) const {
  return command_.reads_whole_units && is_unit(path) ? 1 : 0;
}

std::string LanguageServer::shown_text(const std::string& path, const Text& text) const {
  return std::string(lines_before(path) > 0 ? kDeclaration : "") + text.str();
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
  documents_.erase(found);
  return notify("textDocument/didClose", {{"textDocument", {{"uri", uri}}}}, stop);
}

Result<void> LanguageServer::show_all(const Texts& texts, const std::stop_token& stop) {
  // Close what it was shown before and is not to see any more.
  std::vector<std::string> rest;
  for (const auto& [path, document] : documents_) {
    if (!texts.contains(path)) rest.push_back(path);
  }
  std::ranges::sort(rest, {}, [&](const std::string& path) { return documents_[path].used; });
  for (const std::string& path : rest) {
    const auto bytes = read_file(path, kMaxDocument);
    const bool stays = bytes && documents_.size() <= kMaxOpen;
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

Result<std::map<std::string, FileProblems>> LanguageServer::diagnose(
    const Texts& texts, const std::set<std::string>& asked, const std::stop_token& stop) {
  if (auto started = start(stop); !started) return std::unexpected(started.error());
  ++look_;
  sent_before_ = sent_;
  const auto began = Clock::now();
  // An unknown server proves each time that it reports errors, a known one when it has started.
  if (!asked.empty() && (kind().name.empty() || !is_proven_)) {
    const std::string& path = *asked.begin();
    const auto tested = test(path, texts.at(path), stop);
    if (!tested) return std::unexpected(lost(tested.error()));
    if (!*tested) {  // it may still be reading the project
      const std::string why = name() + " reported no error in a test file that has one";
      if (kind().name.empty()) return std::unexpected(lost({Error::Code::unavailable, why}));
      return fail(Error::Code::unavailable, why);
    }
    sent_before_ = sent_;
  }
  if (auto shown = show_all(texts, stop); !shown) return std::unexpected(lost(shown.error()));
  std::set<std::string> stale;
  for (const std::string& path : asked) {
    if (documents_[path].checked != world_) stale.insert(path);
  }
  if (auto taken = take(stale, stop); !taken) return std::unexpected(lost(taken.error()));
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
  if (connection_) connection_->be_patient(false);
  if (connection_ && is_ready_) {
    (void)connection_->request("shutdown", nullptr, {}, kStopGrace);
    (void)connection_->notify("exit", nullptr, {}, kStopGrace);
  }
  if (connection_) connection_->stop(kStopGrace);
  connection_.reset();
  documents_.clear();
  is_ready_ = has_answered_ = has_status_ = has_pull_ = is_proven_ = false;
  slowest_ = {};
}

}  // namespace bodkin
