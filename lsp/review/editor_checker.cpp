#include "lsp/review/editor_checker.h"

#include <fmt/format.h>

#include <algorithm>

#include "agent/support/shown_text.h"
#include "agent/workspace/privacy.h"
#include "edits/plan/diff.h"
#include "lsp/sessions/formatting.h"
#include "lsp/workspace/disk.h"
#include "lsp/workspace/editor_workspace.h"

namespace bodkin::lsp {

namespace {

constexpr size_t kMaxNamed = 2;

// "2 problems are gone (a.c, line 3: unused variable; …), 1 is still there (…)".
std::string other_problems(std::span<const FileDiagnostics> files) {
  size_t fixed = 0, remaining = 0;
  std::string gone, still_there;
  const auto add = [](const std::string& path, const std::vector<Diagnostic>& list, size_t& count,
                      std::string& names) {
    for (const Diagnostic& each : list) {
      if (++count > kMaxNamed + 1) continue;
      if (count == kMaxNamed + 1) {
        names += "; …";
        continue;
      }
      names += fmt::format("{}{}, line {}: {}", names.empty() ? "" : "; ", path,
                           each.lines.begin + 1, each.message.substr(0, each.message.find('\n')));
    }
  };
  for (const FileDiagnostics& file : files) {
    add(file.path, file.change.fixed, fixed, gone);
    add(file.path, file.change.remaining, remaining, still_there);
  }
  std::string result;
  if (fixed > 0)
    result =
        fmt::format("{} {} gone ({})", counted(fixed, "problem"), fixed == 1 ? "is" : "are", gone);
  if (remaining > 0) {
    result += result.empty() ? counted(remaining, "problem") + " from before"
                             : fmt::format(", {}", remaining);
    result += fmt::format(" {} still there ({})", remaining == 1 ? "is" : "are", still_there);
  }
  return result;
}

// Hints are not problems; in files that were not edited only new errors are the edit's.
void keep_problems(FileDiagnostics& file, bool is_edited) {
  const auto erase = [](std::vector<Diagnostic>& list, Severity worst) {
    std::erase_if(list, [&](const Diagnostic& each) { return each.severity > worst; });
  };
  erase(file.change.added, is_edited ? Severity::warning : Severity::error);
  erase(file.change.fixed, Severity::warning);
  erase(file.change.remaining, Severity::warning);
  if (is_edited) return;
  file.change.fixed.clear();
  file.change.remaining.clear();
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

// The path of its file, and the problem; nullopt if there is none.
std::optional<std::pair<std::string, const Diagnostic*>> first_to_repair(
    std::span<const FileDiagnostics> files) {
  for (const FileDiagnostics& file : files) {
    for (const Diagnostic& diagnostic : file.change.added) {
      if (diagnostic.severity <= Severity::warning) return std::pair(file.path, &diagnostic);
    }
  }
  return std::nullopt;
}

// Says what is known of a check that no longer holds, rather than that there was none.
std::string applied_unchecked(const Verification& known, const std::string& why) {
  if (known.by_servers && !known.outdated.empty())
    return fmt::format("Applied. Checked only before {}: {}.", known.outdated, known.found);
  return "Applied. Not checked: " + why + ".";
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

}  // namespace

bool EditorChecker::is_waiting() const {
  return std::ranges::any_of(before_, [](const auto& each) { return each.second.waiting > 0; });
}

void EditorChecker::applying(const Proposal& proposal) {
  Before& before = before_[proposal.id];
  if (before.number == 0) before.number = next_number_++;
  // Hunk by hunk: what counts is what there was before the first.
  if (before.waiting == 0 && before.is_decided) before.problems = bridge_.problems();
}

void EditorChecker::not_applied(const std::string& proposal_id) {
  const auto found = before_.find(proposal_id);
  if (found != before_.end() && found->second.waiting == 0 && found->second.is_decided)
    before_.erase(found);
}

void EditorChecker::undone(const Proposal& proposal) { before_.erase(proposal.id); }

// The rest of it was discarded: now it is known what there is to repair.
void EditorChecker::changed(const Proposal& proposal, bool has_diagnostics) {
  const auto found = before_.find(proposal.id);
  if (found == before_.end() || found->second.is_decided) return;
  if (proposal.state == Proposal::State::applying || proposal.is_open()) return;
  // A refinement that has taken over the rest may fix the problems that are left without it.
  if (proposal.count(ProposedHunk::State::applied) == 0 || proposal.is_replaced()) {
    before_.erase(found);
  } else if (proposal.count(ProposedHunk::State::discarded) > 0) {
    applied(proposal, has_diagnostics);
  }
}

namespace {

bool is_changed(const ProposedFile& file) {
  return file.moved_from || std::ranges::any_of(file.hunks, [](const ProposedHunk& hunk) {
           return hunk.state == ProposedHunk::State::applied;
         });
}

}  // namespace

void EditorChecker::applied(const Proposal& proposal, bool has_diagnostics) {
  const bool is_decided = proposal.count(ProposedHunk::State::pending) == 0;
  const Verification& known = proposal.verification;
  if (is_decided && known.by_servers && state_now(known) != Verification::State::not_checked) {
    // Exactly these texts were checked, in all files at once: the editor's servers know no more.
    before_.erase(proposal.id);
    EditorVerdict verdict;
    verdict.proposal_id = proposal.id;
    verdict.verification = known;
    verdict.message = "Applied. " + in_words(known) + ".";
    return on_verdict(std::move(verdict));
  }
  if (!is_decided && known.by_servers) {
    before_[proposal.id].is_decided = false;
    return on_part(proposal);
  }
  if (!has_diagnostics && !bridge_.has_heard()) {
    before_.erase(proposal.id);
    EditorVerdict verdict;
    verdict.proposal_id = proposal.id;
    verdict.verification = known;
    verdict.message = applied_unchecked(known, "this editor does not report diagnostics to bodkin");
    return on_verdict(std::move(verdict));
  }
  std::vector<std::string> uris;
  Before& before = before_[proposal.id];
  before.is_decided = is_decided;
  before.verification = known;
  before.is_several = proposal.files.size() > 1;
  before.applied.clear();
  for (const ProposedFile& file : proposal.files) {
    if (!is_changed(file)) continue;  // nothing of it has been taken
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

// One of several files whose text differs on the disk; or "".
std::string EditorChecker::unsaved_file(const Before& before) const {
  if (!before.is_several) return "";
  for (const auto& [file, text] : before.applied) {
    const auto disk = file.is_buffer() ? Result<Text>(fail(Error::Code::not_found, ""))
                                       : read_from_disk(file.full(), file.folder);
    const Document* document = documents_.find(file);
    if (!disk || !(*disk == (document ? document->text : text)))
      return documents_.roots().path_of(file);
  }
  return "";
}

// A request to repair what the model may know of; nullopt: all of it is in private files.
std::optional<Ask> EditorChecker::repair_of(std::vector<FileDiagnostics> files) const {
  EditorWorkspace workspace(documents_);
  const GuardedWorkspace guard(workspace, Task());
  std::erase_if(files, [&](const FileDiagnostics& file) { return guard.is_private(file.path); });
  const auto first = first_to_repair(files);
  if (!first) return std::nullopt;
  Ask repair;
  repair.prompt = repair_prompt(files);
  repair.resolves_names = false;
  repair.selection = Selection{first->first, first->second->lines};
  repair.title = "Repair: " + first_line(first->second->message);
  return repair;
}

// Decides: what the editor's diagnostics say of an applied edit.
void EditorChecker::give_verdict(const std::string& proposal_id, uint64_t number,
                                 const WaitResult& waited) {
  const auto found = before_.find(proposal_id);
  if (found == before_.end() || found->second.number != number) return;  // it was undone
  if (--found->second.waiting > 0) return;  // more of it was applied meanwhile
  const Before before = found->second;
  if (before.is_decided) before_.erase(found);

  EditorVerdict verdict;
  verdict.proposal_id = proposal_id;
  verdict.verification = before.verification;
  std::vector<FileDiagnostics> files;
  for (auto& [path, now] : bridge_.problems()) {
    if (!bridge_.is_up_to_date(path)) continue;  // not heard of since: says nothing of the new text
    const auto earlier = before.problems.find(path);
    const EditorProblems none;
    const EditorProblems& then = earlier == before.problems.end() ? none : earlier->second;
    std::vector<Replacement> edits;
    if (then.text && now.text) edits = changed_lines(*then.text, *now.text);
    FileDiagnostics file{path, compare(then.list, now.list, edits)};
    keep_problems(file, std::ranges::any_of(before.applied, [&](const auto& entry) {
                    return documents_.roots().path_of(entry.first) == path;
                  }));
    files.push_back(std::move(file));
  }
  const size_t added = count_to_repair(files);
  const bool typed = std::ranges::any_of(before.applied, [&](const auto& entry) {
    const Document* document = documents_.find(entry.first);
    return document && !(document->text == entry.second) &&
           !Formatting::between(entry.second.str(), document->text.str());
  });
  std::string why = waited.why;
  if (typed && waited.freshness != Freshness::unknown) {
    why = "the text changed again during the check";
  }
  // Servers may read the one from the disk when they judge the other.
  if (const std::string unsaved = unsaved_file(before); !unsaved.empty() && !typed) {
    verdict.message =
        "Applied. Not checked: " + unsaved +
        " is not saved, so language servers may still read the old text from the disk.";
    return on_verdict(std::move(verdict));
  }
  if (!why.empty() && (added == 0 || typed)) {
    verdict.message = applied_unchecked(before.verification, why);
    return on_verdict(std::move(verdict));
  }
  Verification by_editor;
  by_editor.state = added == 0 ? Verification::State::clean : Verification::State::problems;
  by_editor.new_problems = static_cast<int>(added);
  by_editor.by = who_reported(files);
  by_editor.found = by_editor.by + ": " + counts_in_words(added, 0, "problem");
  // A verdict on all of a proposal is not one on a part.
  if (before.is_decided) verdict.verification = std::move(by_editor);
  if (added == 0) {
    const std::string others = other_problems(files);
    verdict.message = waited.freshness == Freshness::unchanged ? "Applied. Same problems as before."
                      : others.empty() ? "Applied. The editor reports no problems."
                                       : fmt::format("Applied. No new problems; {}.", others);
    return on_verdict(std::move(verdict));
  }
  verdict.message = fmt::format("Applied, with {}: {}", counted(added, "new problem"),
                                first_line(first_to_repair(files)->second->message));
  if (before.is_decided) verdict.repair = repair_of(std::move(files));
  on_verdict(std::move(verdict));
}

}  // namespace bodkin::lsp
