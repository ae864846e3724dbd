#include "lsp/diagnostics.h"

#include <algorithm>

namespace bodkin::lsp {

namespace {

using namespace std::chrono_literals;

std::string code_text(const Json& code) {
  if (code.is_string()) return code.get<std::string>();
  return code.is_number() ? code.dump() : std::string();
}

}  // namespace

Problem problem_of(const Json& diagnostic) {
  const Json& severity = member(diagnostic, "severity");
  return {text_member(diagnostic, "message"), code_text(member(diagnostic, "code")),
          text_member(diagnostic, "source"),
          severity.is_number_integer() ? severity.get<int>() : 1};
}

bool is_own(const Json& diagnostic) { return text_member(diagnostic, "source") == "bodkin"; }

std::vector<Diagnostic> diagnostics_of(const Json& list, const Text& text, Encoding encoding) {
  std::vector<Diagnostic> result;
  if (!list.is_array()) return result;
  for (const Json& item : list) {
    if (is_own(item)) continue;
    const auto range = decode<Range>(member(item, "range"));
    if (!range) continue;
    Problem problem = problem_of(item);
    Diagnostic diagnostic;
    diagnostic.begin_byte = to_offset(text, range->start, encoding);
    diagnostic.end_byte = std::max(diagnostic.begin_byte, to_offset(text, range->end, encoding));
    diagnostic.lines = {text.line_of(diagnostic.begin_byte), text.line_of(diagnostic.end_byte) + 1};
    diagnostic.severity = static_cast<Severity>(std::clamp(problem.severity, 1, 4));
    diagnostic.message = std::move(problem.message);
    diagnostic.source = std::move(problem.source);
    diagnostic.code = std::move(problem.code);
    result.push_back(std::move(diagnostic));
  }
  return result;
}

void DiagnosticsBridge::receive(const DiagnosticsParams& params) {
  File& file = files_[documents_.path_of(params.uri)];
  file.list = Json::array();
  if (params.diagnostics.is_array()) {
    for (const Json& item : params.diagnostics) {
      if (!is_own(item)) file.list.push_back(item);
    }
  }
  file.version = params.document_version;
  file.heard = ++count_;
  for (const auto& [number, wait] : waits_) {
    if (!is_heard(wait)) continue;
    loop_.post_after(300ms, [this, number = number, now = count_] {
      const auto found = waits_.find(number);
      if (found == waits_.end() || now != count_) return;
      auto settled = std::move(found->second.settled);
      waits_.erase(found);
      settled(Freshness::fresh);
    });
  }
}

bool DiagnosticsBridge::is_heard(const Wait& wait) const {
  return std::ranges::all_of(wait.uris, [&](const std::string& uri) {
    const Document* document = documents_.find(uri);
    if (!document) return true;
    const auto found = files_.find(document->path);
    if (found == files_.end()) return false;
    const File& file = found->second;
    if (file.version && *file.version == document->version) return true;
    return file.heard > wait.since && (!file.version || *file.version >= document->version);
  });
}

void DiagnosticsBridge::settle(std::vector<std::string> uris, std::chrono::milliseconds deadline,
                               std::function<void(Freshness)> settled) {
  const int number = next_wait_++;
  const Wait& wait =
      waits_.emplace(number, Wait{std::move(uris), count_, std::move(settled)}).first->second;
  const bool is_there = is_heard(wait);
  loop_.post_after(is_there ? std::min(deadline, 300ms + 0ms) : deadline, [this, number, is_there] {
    const auto found = waits_.find(number);
    if (found == waits_.end()) return;
    auto done = std::move(found->second.settled);
    const bool heard = is_there || is_heard(found->second);
    waits_.erase(found);
    done(heard ? Freshness::fresh : Freshness::unknown);
  });
}

Diagnostics DiagnosticsBridge::current(const std::string& uri) const {
  const Document* document = documents_.find(uri);
  const auto found = files_.find(documents_.path_of(uri));
  if (found == files_.end() || !document) return {};
  const bool is_of_now = found->second.version == document->version;
  return {is_of_now ? Freshness::fresh : Freshness::unknown,
          diagnostics_of(found->second.list, document->text, documents_.encoding())};
}

const Json& DiagnosticsBridge::raw(const std::string& uri) const {
  static const Json kNone = Json::array();
  const auto found = files_.find(documents_.path_of(uri));
  return found == files_.end() ? kNone : found->second.list;
}

Problems DiagnosticsBridge::problems() const {
  Problems result;
  for (const auto& [path, file] : files_) {
    for (const Json& item : file.list) {
      Problem problem = problem_of(item);
      if (problem.severity <= 2) result.insert(std::move(problem));
    }
  }
  return result;
}

}  // namespace bodkin::lsp
