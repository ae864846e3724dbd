#include "lsp/review/checks.h"

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

bool Checks::is_waiting() const {
  return std::ranges::any_of(before_, [](const auto& each) { return each.second.waiting > 0; });
}

void Checks::applying(const Proposal& proposal) {
  Before& before = before_[proposal.id];
  if (before.number == 0) before.number = next_number_++;
  // Hunk by hunk: what counts is what there was before the first.
  if (before.waiting == 0) before.problems = bridge_.problems();
}

void Checks::not_applied(const std::string& proposal_id) {
  const auto found = before_.find(proposal_id);
  if (found != before_.end() && found->second.waiting == 0) before_.erase(found);
}

void Checks::undone(const Proposal& proposal) { before_.erase(proposal.id); }

void Checks::applied(const Proposal& proposal, bool hears) {
  if (!hears && !bridge_.has_heard()) {
    before_.erase(proposal.id);
    Judgement judgement;
    judgement.proposal_id = proposal.id;
    judgement.message = "Applied. Not checked: this editor does not report diagnostics to bodkin.";
    return judged(std::move(judgement));
  }
  std::vector<std::string> uris;
  Before& before = before_[proposal.id];
  before.applied.clear();
  for (const ProposedFile& file : proposal.files) {
    if (file.kind == ProposedFile::Kind::remove) continue;
    uris.push_back(file.moved_to_uri.value_or(file.uri));
    before.applied[file.moved_to_uri.value_or(file.uri)] = file.text;
  }
  ++before.waiting;
  const std::chrono::milliseconds patience(settings_.count("verify.timeoutMs"));
  bridge_.settle(std::move(uris), before.problems, patience,
                 [this, id = proposal.id, number = before.number](const Settled& settled) {
                   judge(id, number, settled);
                 });
}

void Checks::judge(const std::string& proposal_id, uint64_t number, const Settled& settled) {
  const auto found = before_.find(proposal_id);
  if (found == before_.end() || found->second.number != number) return;  // it was undone
  if (--found->second.waiting > 0) return;  // more of it was applied meanwhile
  const Before before = std::move(found->second);
  before_.erase(found);

  Judgement judgement;
  judgement.proposal_id = proposal_id;
  std::vector<FileDiagnostics> files;
  size_t fixed = 0, remaining = 0;
  for (auto& [path, now] : bridge_.problems()) {
    if (!bridge_.is_of_now(path)) continue;  // not heard of since: says nothing of the new text
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
  const size_t added = count_to_mend(files);
  const bool typed = std::ranges::any_of(before.applied, [&](const auto& entry) {
    const Document* document = documents_.find(entry.first);
    return document && !(document->text == entry.second);
  });
  std::string why = settled.why;
  if (typed && settled.freshness != Freshness::unknown) {
    why = "the text changed again during the check";
  }
  if (!why.empty() && (added == 0 || typed)) {
    judgement.message = "Applied. Not checked: " + why + ".";
    return judged(std::move(judgement));
  }
  judgement.verification.new_problems = static_cast<int>(added);
  judgement.verification.by = who_reported(files);
  const std::string others = other_problems(fixed, remaining);
  if (added == 0) {
    judgement.verification.state = Verification::State::verified;
    judgement.message = settled.freshness == Freshness::unchanged
                            ? "Applied. Same problems as before."
                        : others.empty() ? "Applied. The editor reports no problems."
                                         : fmt::format("Applied. No new problems; {}.", others);
    return judged(std::move(judgement));
  }
  judgement.verification.state = Verification::State::failed;
  Ask repair;
  repair.prompt = repair_prompt(files);
  for (const FileDiagnostics& file : files) {
    for (const Diagnostic& diagnostic : file.change.added) {
      if (diagnostic.severity > Severity::warning || repair.selection) continue;
      const std::string message = diagnostic.message.substr(0, diagnostic.message.find('\n'));
      repair.selection = Selection{file.path, diagnostic.lines};
      repair.title = "Repair: " + message;
      judgement.message =
          fmt::format("Applied, with {}: {}", counted(added, "new problem"), message);
    }
  }
  judgement.repair = std::move(repair);
  judged(std::move(judgement));
}

}  // namespace bodkin::lsp
