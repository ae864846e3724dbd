// Ensures that what a language server reports is about the texts that it was shown.
#include <fmt/format.h>

#include <algorithm>

#include "agent/checkers/language_server.h"
#include "agent/rpc/lsp_structs.h"
#include "agent/rpc/uri.h"

namespace bodkin {

namespace {

using nlohmann::json;
using namespace std::chrono_literals;

// After the last publish: a server may publish twice.
constexpr std::chrono::milliseconds kQuiet = 150ms, kLongQuiet = 1s;  // long: of an unknown one
constexpr auto kLongestLook = 90s;
constexpr auto kIdleLimit = 2s;  // of clangd's word that it is idle
constexpr auto kLeastAnswerLimit = 10s;
constexpr int kMaxPulls = 5;           // of one file, if the server takes its answer back
constexpr size_t kMaxProblems = 5000;  // of one file
constexpr size_t kMaxMessage = 2000;   // bytes

}  // namespace

// Servers may spell a URI in other ways than we do.
LanguageServer::Document* LanguageServer::document_at(const std::string& uri) {
  const auto path = rpc::path_of_uri(uri);
  const auto found = path ? documents_.find(*path) : documents_.end();
  return found == documents_.end() ? nullptr : &found->second;
}

void LanguageServer::take_published(const json& params) {
  heard_ = Clock::now();
  if (!is_publisher()) return;
  Document* const document = document_at(rpc::text_member(params, "uri"));
  const json& list = rpc::member(params, "diagnostics");
  if (!document || !list.is_array()) return;
  // A set without a version, or for another one, may be about any text.
  const auto version = rpc::version_at(params, "version");
  if (version > document->version) is_unreliable_ = true;
  if (version == document->version) document->published = list;
}

bool LanguageServer::has_published_error(const std::string& path) const {
  const auto document = documents_.find(path);
  return document != documents_.end() && document->second.published &&
         std::ranges::any_of(*document->second.published, [](const json& one) {
           return rpc::version_at(one, "severity").value_or(1) == 1;
         });
}

// Shows it a text that has an error in any language: a server that answers too early, about another
// text or never with an error does not report it. A known one may report more than once while it
// reads the project.
Result<bool> LanguageServer::test(const std::string& path, const Text& text,
                                  const std::stop_token& stop) {
  bool is_reported = false;
  for (const char* garbage : {"\n)]}(((@@@ \"\n", ""}) {
    if (auto shown = show(path, Text(text.str() + garbage), true, stop); !shown)
      return std::unexpected(shown.error());
    documents_[path].used = look_;
    if (garbage[0] == '\0') break;
    if (auto taken = take({path}, stop); !taken) return std::unexpected(taken.error());
    const auto& list = documents_[path].problems.list;
    is_reported = std::ranges::any_of(
        list, [](const Diagnostic& one) { return one.severity == Severity::error; });
    if (is_reported || kind().reporting != Reporting::versions || kind().name.empty()) continue;
    const auto later =
        connection_->wait_until([&] { return has_published_error(path); }, stop, command_.timeout);
    if (!later) return std::unexpected(later.error());
    is_reported = *later;
  }
  documents_[path].checked = 0;
  is_proven_ = is_reported;
  return is_reported;
}

LanguageServer::Milliseconds LanguageServer::answer_limit() const {
  if (!has_answered_) return command_.timeout;  // it reads the project first
  return std::clamp<Milliseconds>(
      8 * slowest_, std::min<Milliseconds>(kLeastAnswerLimit, command_.timeout), command_.timeout);
}

// Decides: when a server's answer is believed.
Result<void> LanguageServer::take_pushed(const std::set<std::string>& stale,
                                         const std::stop_token& stop) {
  if (stale.empty()) return {};
  // A set for the right version of one file may have been made with the old text of another, if
  // that was sent later. Such a file is sent again: only reports about that one count.
  const bool is_clangd = kind().reporting == Reporting::clangd;
  for (const std::string& path : stale) {
    const Document& document = documents_[path];
    if (document.used == look_ && document.sent > sent_before_ && document.sent >= last_change_)
      continue;
    if (auto shown = show(path, Text(document.text), true, stop); !shown) return shown;
  }
  const auto limit = answer_limit();
  const auto is_there = [&] {
    return std::ranges::all_of(
        stale, [&](const std::string& path) { return documents_[path].published.has_value(); });
  };
  // While it reports about one file after the other, it is at work.
  const auto last = Clock::now() + kLongestLook;
  auto waited = connection_->wait_until(is_there, stop, limit);
  for (size_t known = 0; waited && !*waited && Clock::now() < last;) {
    const auto reported = static_cast<size_t>(std::ranges::count_if(
        stale, [&](const std::string& path) { return documents_[path].published.has_value(); }));
    if (reported == known) break;
    known = reported;
    waited = connection_->wait_until(is_there, stop, limit);
  }
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
    const auto quiet = kind().name.empty() ? kLongQuiet : kQuiet;
    const auto is_quiet = [&] { return Clock::now() >= heard_ + quiet; };
    const auto end = Clock::now() + command_.timeout;
    while (!is_quiet()) {
      if (Clock::now() > end)
        return fail(Error::Code::unavailable, name() + " never stopped publishing diagnostics");
      const auto left = std::chrono::ceil<Milliseconds>(heard_ + quiet - Clock::now());
      waited = connection_->wait_until(is_quiet, stop, std::max(left, Milliseconds(1)));
      if (!waited) return std::unexpected(waited.error());
    }
  }
  if (is_unreliable_)
    return fail(Error::Code::unavailable,
                name() + " reported diagnostics for text it was never sent");
  for (const std::string& path : stale) {
    if (auto taken = take_list(path, *documents_[path].published); !taken) return taken;
  }
  return {};
}

Result<void> LanguageServer::take_pulled(const std::set<std::string>& stale,
                                         const std::stop_token& stop) {
  if (kind().reporting == Reporting::pull) {
    const auto offers =
        connection_->wait_until([this] { return has_pull_; }, stop, command_.timeout);
    if (!offers) return std::unexpected(offers.error());
  }
  if (kind().reporting == Reporting::pull && !has_pull_) {
    return fail(Error::Code::unavailable,
                fmt::format("{} is too old: {} does not answer textDocument/diagnostic", name(),
                            version_.empty() ? "it" : version_));
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
    if (auto taken = take_list(path, *list); !taken) return taken;
  }
  return {};
}

Result<void> LanguageServer::take_list(const std::string& path, const json& list) {
  auto problems = read(list, path);
  if (!problems) return std::unexpected(problems.error());
  Document& document = documents_[path];
  document.problems = *std::move(problems);
  document.checked = world_;
  return {};
}

Result<json> LanguageServer::pull(const Document& document, const std::string& path,
                                  const std::stop_token& stop) {
  for (int i = 0; i < kMaxPulls; ++i) {
    auto answer =
        connection_->request("textDocument/diagnostic", {{"textDocument", {{"uri", document.uri}}}},
                             stop, answer_limit());
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

// Returns them as LSP's diagnostics. tsserver counts lines and UTF-16 units from 1.
Result<json> LanguageServer::ask_tsserver(const char* command, const std::string& path,
                                          const std::stop_token& stop) {
  const auto answer = connection_->request(
      "workspace/executeCommand",
      {{"command", "typescript.tsserverRequest"}, {"arguments", {command, {{"file", path}}}}}, stop,
      answer_limit());
  if (!answer && !connection_->last_error().is_null())  // it does not know the command
    return fail(Error::Code::unavailable,
                fmt::format("{} is too old: {}, needs 4: npm install -g {}@4", name(),
                            version_.empty() ? "3 or less" : version_, kind().name));
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

Result<bool> LanguageServer::knows(const std::string& path, const Text& text, size_t offset,
                                   const std::stop_token& stop) {
  const rpc::Position at = rpc::to_position(text, offset, encoding_);
  const auto answer =
      connection_->request("textDocument/definition",
                           {{"textDocument", {{"uri", rpc::uri_of_path(path)}}},
                            {"position", {{"line", at.line}, {"character", at.character}}}},
                           stop, answer_limit());
  if (!answer) return std::unexpected(answer.error());
  return !answer->empty();
}

Result<FileProblems> LanguageServer::read(const json& list, const std::string& path) const {
  FileProblems problems;
  if (list.size() > kMaxProblems)
    return fail(Error::Code::unavailable,
                fmt::format("{} reports more than {} problems", name(), kMaxProblems));
  const Text& text = documents_.at(path).text;
  const auto offset = [&](rpc::Position at) {
    at.line -= std::min<decltype(at.line)>(at.line, lines_before(path));
    return rpc::to_offset(text, at, encoding_);
  };
  for (const json& item : list) {
    const auto read = rpc::published_diagnostics(json::array({item}));
    if (read.empty()) return fail(Error::Code::unavailable, name() + " sent an invalid diagnostic");
    Diagnostic diagnostic;
    diagnostic.begin_byte = offset(read[0].range.start);
    diagnostic.end_byte = offset(read[0].range.end);
    const size_t first = text.line_of(diagnostic.begin_byte);
    diagnostic.lines = {first, std::max(text.line_of(diagnostic.end_byte), first) + 1};
    diagnostic.severity = static_cast<Severity>(read[0].severity);
    diagnostic.message = read[0].message.substr(0, kMaxMessage);
    diagnostic.source = read[0].source;
    diagnostic.code = read[0].code;
    // An error of C99, also where clang (up to 15) and gcc (up to 13) only warn: nothing defines
    // it.
    if (diagnostic.code == "-Wimplicit-function-declaration" && diagnostic.message.contains("C99"))
      diagnostic.severity = Severity::error;
    const json& related = rpc::member(item, "relatedInformation");
    if (diagnostic.message.starts_with("In included file:") && related.is_array() &&
        !related.empty()) {
      const auto header = rpc::path_of_uri(rpc::text_member(related[0], "location.uri"));
      const auto range = rpc::decode<rpc::Range>(rpc::member(related[0], "location.range"));
      if (header && range) problems.elsewhere[problems.list.size()] = {*header, range->start.line};
    }
    problems.list.push_back(std::move(diagnostic));
  }
  return problems;
}

}  // namespace bodkin
