#include "lsp/review/editor_checker.h"

#include <fmt/format.h>

#include <algorithm>

#include "edits/plan/diff.h"

namespace bodkin::lsp {

namespace {

// "2 problems are gone, 1 is still there."
std::string other_problems(size_t fixed, size_t remaining) {
  std::string result;
  if (fixed > 0) result = counted(fixed, "problem") + (fixed == 1 ? " is gone" : " are gone");
  if (remaining > 0) {
    result += fixed > 0
                  ? fmt::format(", {} {} still there", remaining, remaining == 1 ? "is" : "are")
                  : fmt::format("{} from before {} still there", counted(remaining, "problem"),
                                remaining == 1 ? "is" : "are");
  }
  return result;
}

std::string who_reported(std::span<const FileDiagnostics> files) {
  for (const FileDiagnostics& file : files) {
    for (const auto* list : {&file.change.added, &file.change.remaining, &file.change.fixed}) {
      for (const Diagnostic& diagnostic : *list) {
        if (!diagnostic.source.empty()) return diagnostic.source;
      }
    }
  }
  return "the editor's diagnostics";
}

}  // namespace

bool EditorChecker::is_waiting() const {
  return std::ranges::any_of(before_, [](const auto& each) { return each.second.waiting > 0; });
}

void EditorChecker::applying(const Proposal& proposal) {
  Before& before = before_[proposal.id];
  if (before.number == 0) before.number = next_number_++;
  // Hunk by hunk: what counts is what there was before the first.
  if (before.waiting == 0) before.problems = bridge_.problems();
}

void EditorChecker::not_applied(const std::string& proposal_id) {
  const auto found = before_.find(proposal_id);
  if (found != before_.end() && found->second.waiting == 0) before_.erase(found);
}

void EditorChecker::undone(const Proposal& proposal) { before_.erase(proposal.id); }

void EditorChecker::applied(const Proposal& proposal, bool hears) {
  if (!hears && !bridge_.has_heard()) {
    before_.erase(proposal.id);
    EditorVerdict verdict;
    verdict.proposal_id = proposal.id;
    verdict.message = "Applied. Not checked: this editor does not report diagnostics to bodkin.";
    return on_verdict(std::move(verdict));
  }
  std::vector<std::string> uris;
  Before& before = before_[proposal.id];
  before.applied.clear();
  for (const ProposedFile& file : proposal.files) {
    if (file.kind == ProposedFile::Kind::remove) continue;
    uris.push_back(documents_.uri_of(file.last_name().file));
    before.applied.emplace_back(file.last_name().file, file.text);
  }
  ++before.waiting;
  const std::chrono::milliseconds patience(settings_.count("verify.timeoutMs"));
  bridge_.wait_for_diagnostics(std::move(uris), before.problems, patience,
                               [this, id = proposal.id, number = before.number](
                                   const WaitResult& waited) { give_verdict(id, number, waited); });
}

void EditorChecker::give_verdict(const std::string& proposal_id, uint64_t number,
                                 const WaitResult& waited) {
  const auto found = before_.find(proposal_id);
  if (found == before_.end() || found->second.number != number) return;  // it was undone
  if (--found->second.waiting > 0) return;  // more of it was applied meanwhile
  const Before before = std::move(found->second);
  before_.erase(found);

  EditorVerdict verdict;
  verdict.proposal_id = proposal_id;
  std::vector<FileDiagnostics> files;
  size_t fixed = 0, remaining = 0;
  for (auto& [path, now] : bridge_.problems()) {
    if (!bridge_.is_up_to_date(path)) continue;  // not heard of since: says nothing of the new text
    const auto earlier = before.problems.find(path);
    const FileProblems none;
    const FileProblems& then = earlier == before.problems.end() ? none : earlier->second;
    std::vector<Replacement> edits;
    if (then.text && now.text) edits = changed_lines(*then.text, *now.text);
    FileDiagnostics file{path, compare(then.list, now.list, edits)};
    fixed += file.change.fixed.size();
    remaining += file.change.remaining.size();
    files.push_back(std::move(file));
  }
  const size_t added = count_to_repair(files);
  const bool typed = std::ranges::any_of(before.applied, [&](const auto& entry) {
    const Document* document = documents_.find(entry.first);
    return document && !(document->text == entry.second);
  });
  std::string why = waited.why;
  if (typed && waited.freshness != Freshness::unknown) {
    why = "the text changed again during the check";
  }
  if (!why.empty() && (added == 0 || typed)) {
    verdict.message = "Applied. Not checked: " + why + ".";
    return on_verdict(std::move(verdict));
  }
  verdict.verification.new_problems = static_cast<int>(added);
  verdict.verification.by = who_reported(files);
  const std::string others = other_problems(fixed, remaining);
  if (added == 0) {
    verdict.verification.state = Verification::State::verified;
    verdict.message = waited.freshness == Freshness::unchanged ? "Applied. Same problems as before."
                      : others.empty() ? "Applied. The editor reports no problems."
                                       : fmt::format("Applied. No new problems; {}.", others);
    return on_verdict(std::move(verdict));
  }
  verdict.verification.state = Verification::State::failed;
  Ask repair;
  repair.prompt = repair_prompt(files);
  repair.names_things = false;
  for (const FileDiagnostics& file : files) {
    for (const Diagnostic& diagnostic : file.change.added) {
      if (diagnostic.severity > Severity::warning || repair.selection) continue;
      const std::string message = diagnostic.message.substr(0, diagnostic.message.find('\n'));
      repair.selection = Selection{file.path, diagnostic.lines};
      repair.title = "Repair: " + message;
      verdict.message = fmt::format("Applied, with {}: {}", counted(added, "new problem"), message);
    }
  }
  verdict.repair = std::move(repair);
  on_verdict(std::move(verdict));
}

}  // namespace bodkin::lsp
