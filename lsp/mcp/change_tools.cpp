// check_patch, apply_patch, edit and undo: what `bodkin apply` does, one call each.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>

#include "agent/history/history.h"
#include "agent/placing/placing.h"
#include "agent/support/json.h"
#include "agent/support/shown_text.h"
#include "lsp/apply/write_journal.h"
#include "lsp/folder/change_log.h"
#include "lsp/folder/undo.h"
#include "lsp/mcp/acting_files.h"
#include "lsp/mcp/delivery.h"
#include "lsp/mcp/placed_patch.h"
#include "lsp/mcp/tool_table.h"
#include "lsp/sessions/changed_files.h"
#include "lsp/sessions/proposal_record.h"

namespace bodkin::mcp {

namespace {

using nlohmann::json;

// "2 hunks in 1 file; syntax checked, not built"
std::string size_and_checks(const PlacedPatch& placed) {
  const auto hunks =
      std::ranges::count(placed.report.hunks, HunkReport::State::applied, &HunkReport::state);
  std::string words = counted(static_cast<size_t>(hunks), "hunk") + " in " +
                      counted(placed.report.files.size(), "file") + "; ";
  if (!placed.syntax_errors.empty())
    words += counted(placed.syntax_errors.size(), "new syntax error");
  else
    words += placed.is_syntax_checked ? "syntax checked" : "syntax not checked";
  return words + ", not built";
}

enum class Stage { planned, done };

// A line for each file, each caution and each new syntax error.
std::string details_of(const ServedFolder& served, const PlacedPatch& placed, Stage stage) {
  std::string text;
  for (const ChangedFile& file : placed.report.files) {
    // The first line says where it is now.
    const auto real = stage == Stage::planned ? served.folder.resolve(file.path) : std::string();
    const std::string shown = real && !real->empty() ? served.editors.shown_as(*real) : "";
    text += line_of(file, stage == Stage::planned) + (shown.empty() ? "\n" : " (" + shown + ")\n");
  }
  for (const std::string& caution : placed.cautions) text += "caution: " + caution + "\n";
  for (const std::string& error : placed.syntax_errors) text += "new syntax error: " + error + "\n";
  return text + placed.ignored;
}

std::string base_line(const PlacedPatch& placed) {
  return placed.base.empty() ? "" : "base " + placed.base + "\n";
}

// Why it may not be applied although it can be placed; empty: it may.
std::string why_unsure(const PlacedPatch& placed, const std::string& base) {
  const auto sentence = [&](const char* advice) {
    return fmt::format("not applied: not everything is quoted exactly: {}\n{}\n",
                       fmt::join(placed.uncertain, "; "), advice);
  };
  constexpr const char* kAgain =
      "If the diff below is what you mean, send the same call again with the base at its end.";
  if (!placed.uncertain.empty() && placed.base.empty())
    return sentence("Its diff may not be shown, since models may not read here; quote exactly.");
  if (!base.empty()) {
    const std::string why = why_other_base(base, placed);
    return why.empty() ? "" : fmt::format("not applied: {}\n{}\n", why, kAgain);
  }
  return placed.uncertain.empty() ? "" : sentence(kAgain);
}

// Says what `edit` can do instead, which the words for patches do not.
std::string instead(const PlacedPatch& placed, Format format) {
  if (format != Format::str_replace) return "";
  std::string words;
  for (const HunkReport& hunk : placed.report.hunks) {
    if (!hunk.failure) continue;
    if (hunk.failure->kind == FailureKind::ambiguous)
      words = "Or set replace_all to change all of them.\n";
    if (hunk.failure->kind == FailureKind::exists)
      words = "An empty old_str only creates a file: quote in old_str what is to be replaced.\n";
  }
  return words;
}

ToolText refused(const PlacedPatch& placed, Format format) {
  return failed("not applied: " + placed.refused + instead(placed, format) +
                "Nothing was changed.\n");
}

ToolText in_place() { return {"nothing to do: the changes are already in place\n"}; }

constexpr const char* kUnknown = "look at the files before you go on";

// Files that the agent, an editor or git would run or obey are only changed after the user's word
// for exactly this change. `command`: what the user can run instead, given the change's files.
std::optional<ToolText> without_word(const ToolCall& call, const PlacedPatch& placed,
                                     const char* verb, const std::string& diff,
                                     const std::function<Result<std::string>()>& command) {
  if (placed.acting.empty()) return std::nullopt;
  const std::string change = digest_of(std::optional(diff));
  if (call.word.given_for == change) return std::nullopt;
  const std::string why = fmt::format("{}", fmt::join(placed.acting, "\n"));
  if (call.word.can_be_asked) {
    ToolText asks;
    asks.question = {fmt::format("The agent wants to change what can run programs in {}:\n{}\n\n{}",
                                 call.served.folder.path(), why, diff),
                     change};
    return asks;
  }
  const auto instead = command();
  return failed(fmt::format(
      "not {}: only the user may change this, and nothing was changed:\n{}\n{}", verb, why,
      instead ? "Ask the user to look at the change and to run: " + *instead + "\n" : ""));
}

ToolText delivered(const ToolCall& call, const PlacedPatch& placed, Writing& writing) {
  auto logged = log_change(call.served.folder, "mcp", placed.report.files);
  const std::string change =
      logged ? "change " + logged->id + "\n"
             : "This change cannot be undone later: " + logged.error().message + ".\n";
  const Delivery delivery =
      deliver(call, writing, placed.report.files, placed.writes, {logged ? logged->id : "", false});
  switch (delivery.state) {
    case Delivery::State::refused:
      if (logged) logged->forget();
      return failed("not applied: " + delivery.words + "; nothing was changed\n");
    case Delivery::State::unknown:
      return failed(fmt::format("not confirmed: {}; {}\n{}{}", delivery.words, kUnknown,
                                diff_text(placed, call.served), change));
    case Delivery::State::done:
      if (logged) logged->confirm();
      break;
  }
  return {fmt::format("applied {}, {}\n{}{}{}{}", size_and_checks(placed), delivery.words,
                      delivery.notes, details_of(call.served, placed, Stage::done),
                      diff_text(placed, call.served), change)};
}

// Calls `run`, which writes. If files were restored first, its result says so: the model has not
// seen their texts.
ToolText while_writing(const ToolCall& call, std::string_view no,
                       const std::function<ToolText(Writing&)>& run) {
  const auto writing = Writing::begin(call.served.folder, call.task.stop);
  if (!writing)
    return failed(fmt::format("{}: {}; nothing was changed\n", no, writing.error().message));
  ToolText result = run(**writing);
  if (const std::string words = recovered_words(**writing); !words.empty())
    add_below_verdict(result, words + ".\n");
  return result;
}

ToolText apply(const ToolCall& call, const PatchText& patch) {
  if (call.is_read_only) {
    if (const auto looked = call.served.look_at_editors(call.task); !looked)
      return failed("not applied: " + looked.error().message + "\n");
    const PlacedPatch placed = place_patch(call.served, patch, call.task);
    if (!placed.refused.empty()) return refused(placed, patch.format);
    return failed(
        fmt::format("not applied: your sandbox is read-only; it could be applied: {}\n{}{}",
                    size_and_checks(placed), details_of(call.served, placed, Stage::planned),
                    diff_text(placed, call.served)));
  }
  return while_writing(call, "not applied", [&](Writing& writing) {
    if (const auto looked = call.served.look_at_editors(call.task); !looked)
      return failed("not applied: " + looked.error().message + " Nothing was changed.\n");
    const PlacedPatch placed = place_patch(call.served, patch, call.task);
    if (!placed.refused.empty()) return refused(placed, patch.format);
    if (placed.report.files.empty()) return in_place();
    if (std::string why = why_unsure(placed, call.arguments.value("base", "")); !why.empty())
      return failed(why + details_of(call.served, placed, Stage::planned) +
                    diff_text(placed, call.served) + base_line(placed));
    const auto command = [&]() -> Result<std::string> {
      const auto asked = log_change(call.served.folder, "mcp", placed.report.files, Logged::asked);
      if (!asked) return std::unexpected(asked.error());
      return fmt::format("bodkin apply --diff {0} && bodkin apply {0}", asked->id);
    };
    if (auto asks = without_word(call, placed, "applied", placed.diff, command)) return *asks;
    return delivered(call, placed, writing);
  });
}

PatchText patch_of(const json& arguments) {
  return {.text = arguments["patch"].get<std::string>(),
          .path = arguments.value("path", std::string())};
}

struct FoundChange {
  HistoryStore store;
  ProposalRow row;
};

// Error, the end of a sentence: not_found. `id`: from the model.
Result<FoundChange> change_of_folder(const std::string& id, const ConfinedFolder& folder) {
  auto store = HistoryStore::open(history_path(), Database::Access::create);
  if (store && is_change_id(id))
    if (auto row = store->load_proposal(id, ""); row && row->workspace == folder.path())
      return FoundChange{*std::move(store), *std::move(row)};
  return fail(Error::Code::not_found, store ? "no such change is in the log of this folder"
                                            : history_path() + ": " + store.error().message);
}

// The whole change taken back, as the files are now, also unsaved in an editor. Errors, the end of
// a sentence.
Result<UndoPlan> plan_of(const ProposalRow& row, const ServedFolder& served) {
  auto proposal = proposal_of(row);
  if (!proposal) return std::unexpected(proposal.error());
  const ServedFiles files(served);
  FilesNow now = files_now(served.folder);
  now.read = [&](const std::string& path) { return files.read(path); };
  auto plan = plan_undo(*std::move(proposal), Roots{{"workspace", served.folder.path()}}, now);
  if (!plan && plan.error().code == Error::Code::unavailable)
    return fail(Error::Code::unavailable, "no such change is in the files any more");
  if (plan && !plan->left_out.empty()) return fail(Error::Code::stale, plan->why_left_out);
  return plan;
}

ToolText undo_now(const ToolCall& call, Writing& writing) {
  const auto refuse = [](std::string_view why) {
    return failed("not undone: " + without_period(why) + "; nothing was changed\n");
  };
  const std::string id = call.arguments["change"].get<std::string>();
  auto change = change_of_folder(id, call.served.folder);
  if (!change) return refuse(change.error().message);
  if (const auto looked = call.served.look_at_editors(call.task); !looked)
    return failed("not undone: " + looked.error().message + " Nothing was changed.\n");
  const auto plan = plan_of(change->row, call.served);
  if (!plan) return refuse(plan.error().message);
  PlacedPatch back;
  back.report.files = plan->files;
  back.diff = diff_of(back.report.files);
  if (const auto may =
          check_targets(back.report.files, *call.served.draft, *call.served.guard, call.task);
      !may)
    return refuse(with_advice(may.error()));
  const auto writes =
      writes_of(back.report.files, call.served.folder, Texts::restored, plan->removed);
  if (!writes) return refuse(writes.error().message);
  if (const auto can = check_writes(call.served.folder, *writes); !can)
    return refuse(can.error().message);
  back.acting = acting_files(back.report.files, call.served, call.task);
  const auto command = [&] { return Result<std::string>("bodkin undo " + id); };
  if (auto asks = without_word(call, back, "undone", back.diff, command)) return *asks;
  const auto keep = [&](const ProposalRow& row) {
    change->store.commit([&] { change->store.put_proposal(row); });
  };
  const ProposalRow& row = change->row;
  keep(row_meanwhile(plan->before, plan->after, row.session, row.workspace));
  const Delivery delivery = deliver(call, writing, back.report.files, *writes, {id, true});
  if (delivery.state == Delivery::State::refused) {
    keep(row);
    return refuse(delivery.words);
  }
  if (delivery.state == Delivery::State::unknown)
    return failed(fmt::format("not confirmed: {}; {}\n", delivery.words, kUnknown));
  keep(row_of(plan->after, row.session, row.workspace));
  remove_made_folders(call.served.folder, plan->after.made_folders);
  return {fmt::format("undone in {}, {}\n{}{}{}", counted(back.report.files.size(), "file"),
                      delivery.words, delivery.notes, details_of(call.served, back, Stage::done),
                      diff_text(back, call.served))};
}

}  // namespace

ToolText check_patch(const ToolCall& call) {
  const PlacedPatch placed = place_patch(call.served, patch_of(call.arguments), call.task);
  if (!placed.refused.empty()) return failed("cannot be applied: " + placed.refused);
  if (placed.report.files.empty()) return in_place();
  std::string text = fmt::format("can be applied: {}\n", size_and_checks(placed));
  if (!placed.uncertain.empty())
    text += fmt::format("not quoted exactly, so that apply_patch needs the base: {}\n",
                        fmt::join(placed.uncertain, "; "));
  return {text + details_of(call.served, placed, Stage::planned) + diff_text(placed, call.served) +
          base_line(placed)};
}

ToolText apply_patch(const ToolCall& call) { return apply(call, patch_of(call.arguments)); }

ToolText edit(const ToolCall& call) {
  json arguments = call.arguments;
  arguments.erase("base");
  const std::string path = call.served.inside(arguments["path"].get<std::string>());
  arguments["path"] = path;
  return apply(call,
               {.text = text_of_json(arguments), .format = Format::str_replace, .path = path});
}

ToolText undo(const ToolCall& call) {
  if (call.is_read_only) return failed("not undone: your sandbox is read-only\n");
  return while_writing(call, "not undone",
                       [&](Writing& writing) { return undo_now(call, writing); });
}

}  // namespace bodkin::mcp
