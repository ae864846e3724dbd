#include "lsp/review/code_actions.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "agent/context/prompt.h"
#include "agent/support/shown_text.h"
#include "lsp/protocol/arguments.h"
#include "lsp/protocol/extensions.h"
#include "lsp/review/workspace_edit.h"

namespace bodkin::lsp {

namespace {

// The first `most` characters of the first line.
std::string shortened(const std::string& text, size_t most) {
  std::string line = text.substr(0, text.find('\n'));
  size_t count = 0, at = 0;
  while (at < line.size() && count < most) {
    ++at;
    while (at < line.size() && (static_cast<unsigned char>(line[at]) & 0xC0) == 0x80) ++at;
    ++count;
  }
  return at < line.size() ? line.substr(0, at) + "…" : line;
}

// Returns the request in a comment on the line: "// bodkin: use a set here", "# sort these AI!".
// Decides: which comments are requests.
std::string instruction_in_comment(const Text& text, size_t line) {
  const std::string content = text.line(line);
  const auto trim = [](const std::string& part) {
    const size_t first = part.find_first_not_of(" \t/#*-;%\"'<!");
    const size_t last = part.find_last_not_of(" \t*/->");
    if (first == std::string::npos || last == std::string::npos || last < first)
      return std::string();
    return part.substr(first, last + 1 - first);
  };
  const size_t mark = content.find_first_of("/#;%-\"*<");
  if (mark == std::string::npos) return "";
  const size_t name = content.find("bodkin:", mark);
  if (name != std::string::npos) return trim(content.substr(name + 7));
  const std::string whole = trim(content.substr(mark));
  if (whole.ends_with(" AI!")) return trim(whole.substr(0, whole.size() - 4));
  return "";
}

class Menu {
 public:
  Menu(const CodeActionPlace& place, const Capabilities& client) : place_(place), client_(client) {}

  bool wants(std::string_view kind) const {
    const auto& only = place_.params.only;
    return only.empty() || std::ranges::any_of(only, [&](const std::string& wanted) {
             return kind == wanted || kind.starts_with(wanted + ".");
           });
  }

  // A command with one argument.
  void add(const std::string& title, const char* kind, const char* command, const Json& argument,
           const Json& diagnostics = Json(), const Json& data = Json()) {
    if (!wants(kind)) return;
    const std::string shown = plain_line(title);
    Json run = {{"title", shown}, {"command", command}, {"arguments", Json::array({argument})}};
    if (!client_.action_literals) {
      actions_.push_back(std::move(run));
      return;
    }
    Json action = {{"title", shown}, {"kind", kind}, {"command", std::move(run)}};
    if (diagnostics.is_array()) action["diagnostics"] = diagnostics;
    if (!data.is_null()) action["data"] = data;
    tag(action);
    actions_.push_back(std::move(action));
  }

  void add_literal(Json action) {
    tag(action);
    actions_.push_back(std::move(action));
  }
  void add_found(Json action) { actions_.push_back(std::move(action)); }  // not by a model

  Json take() { return std::move(actions_); }

 private:
  void tag(Json& action) const {
    if (client_.action_tags) action["tags"] = {1};  // LLMGenerated (LSP 3.18)
  }

  const CodeActionPlace& place_;
  const Capabilities& client_;
  Json actions_ = Json::array();
};

bool overlaps(const Range& a, const Range& b) {
  return a.start.line <= b.end.line && b.start.line <= a.end.line;
}

// A proposal that is offered at a place.
struct Offered {
  const Proposal* proposal;
  std::optional<size_t> here;  // the hunk at the place
};

// Oldest first.
std::vector<Offered> offered_at(const CodeActionPlace& place, const Documents& documents,
                                const Proposals& proposals) {
  std::vector<Offered> result;
  const std::string asked =
      instruction_in_comment(place.document->text, place.params.range.start.line);
  for (const auto& [id, proposal] : proposals.all()) {
    if (!proposal.is_open()) continue;
    std::optional<size_t> here;
    bool is_open = false;  // something of it, in the editor
    for (const ProposedFile& file : proposal.files) {
      const Document* document = documents.find(file.name.file);
      is_open |= document && std::ranges::any_of(file.hunks, [](const ProposedHunk& hunk) {
                   return hunk.state == ProposedHunk::State::pending;
                 });
      if (document != place.document) continue;
      for (const ProposedHunk& hunk : file.hunks) {
        if (hunk.state != ProposedHunk::State::pending || here) continue;
        Range range = to_range(file.text, hunk.begin, hunk.end, documents.encoding());
        // A hunk of whole lines ends where the next line begins: that line is not part of it.
        if (range.end.character == 0 && range.end.line > range.start.line) --range.end.line;
        if (overlaps(range, place.params.range)) here = hunk.index;
      }
    }
    // Lines elsewhere have to be found, and those of a file that is not open cannot be: it is
    // offered at the comment that asked, and if nothing of it is open, at every place.
    const bool is_asked_here = !asked.empty() && proposal.title == title_of(Ask{.prompt = asked});
    const bool is_out_of_reach = !is_open && !place.params.automatic;
    if (here || is_asked_here || is_out_of_reach) result.push_back({&proposal, here});
  }
  return result;
}

// Decides: which proposals a menu offers: at a place the last one, and a line for that before it.
void add_proposals(Menu& menu, const CodeActionPlace& place, const Capabilities& client,
                   const Documents& documents, Proposals& proposals, ProposalApplier& applier) {
  if (!menu.wants(kKindProposal)) return;
  std::vector<Offered> all = offered_at(place, documents, proposals);
  if (all.empty()) return;
  const auto shown = std::ranges::find(
      all, proposals.shown_by_default(),
      [](const Offered& each) -> const std::string& { return each.proposal->id; });
  if (shown != all.end()) std::rotate(all.begin(), shown + 1, all.end());  // it is the last
  const auto& [chosen, here] = all.back();
  const Proposal& proposal = *chosen;
  const std::string& id = proposal.id;
  Json own = Json::array();  // the diagnostics that these actions answer
  for (const Json& diagnostic : place.params.diagnostics) {
    if (text_member(diagnostic, "data.proposalId") == id) own.push_back(diagnostic);
  }
  const size_t files = proposal.files.size();
  const size_t hunks = proposal.count(ProposedHunk::State::pending);
  const std::string what =
      here ? fmt::format("bodkin: Apply proposal ({}, {}, {})", counted(files, "file"),
                         counted(hunks, "hunk"), in_words(proposal.verification))
           : fmt::format("bodkin: Apply {} ({}, {})", named(proposal), counted(hunks, "change"),
                         in_words(proposal.verification));
  const std::vector<size_t> only{here.value_or(0)};
  const Json all_argument = {{"proposalId", id}};
  const Json hunk_argument = {{"proposalId", id}, {"hunks", only}};
  const auto add = [&](const std::string& title, const char* command, const Json& argument,
                       const std::vector<size_t>* part) {
    if (!client.action_literals || client.action_commands) {
      menu.add(title, kKindProposal, command, argument, own);
      return;
    }
    Json action = {{"title", plain_line(title)}, {"kind", kKindProposal}, {"data", argument}};
    if (!own.empty()) action["diagnostics"] = own;
    if (!client.action_resolve) {
      auto edit = applier.edit_of(id, part);
      if (!edit) return;
      action["edit"] = *std::move(edit);
      proposals.set_offered(id, nullptr);
    }
    menu.add_literal(std::move(action));
  };
  add(what, kApply, all_argument, nullptr);
  if (here && hunks > 1) add("bodkin: Apply this change", kApplyHunk, hunk_argument, &only);
  menu.add("bodkin: Show diff", kKindProposal, kShowDiff, all_argument, own);
  menu.add("bodkin: Discard", kKindProposal, kDiscard, all_argument, own);
  if (all.size() == 1) return;
  const Proposal& before = *all[all.size() - 2].proposal;
  menu.add(
      fmt::format("bodkin: {}: show {}", counted(all.size() - 1, "other proposal"), named(before)),
      kKindProposal, kShowDiff, {{"proposalId", before.id}});
}

void add_fixes(Menu& menu, const CodeActionPlace& place, const DiagnosticsBridge& bridge) {
  const Json target = {{"uri", place.document->uri}};
  Json here = Json::array();
  for (const Json& diagnostic : place.params.diagnostics) {
    if (!is_own(diagnostic)) here.push_back(diagnostic);
  }
  const Json& known = bridge.raw(place.document->uri);
  const auto inside = [](const Json& list, const Range& range) {
    Json result = Json::array();
    for (const Json& diagnostic : list) {
      const auto at = decode<Range>(member(diagnostic, "range"));
      if (at && overlaps(*at, range)) result.push_back(diagnostic);
    }
    return result;
  };
  const auto is_hint = [](const Json& diagnostic) {
    const Json& severity = member(diagnostic, "severity");
    return severity.is_number_integer() && severity >= 4;
  };
  // Newer Neovims send only the asking client's own diagnostics: the bridge has the others.
  if (here.empty()) here = inside(known, place.params.range);
  if (here.empty()) return;
  const std::string message = shortened(text_member(here[0], "message"), 40);
  menu.add(fmt::format("bodkin: Fix “{}”", message), kKindFix, kFix,
           {{"textDocument", target}, {"range", place.params.range}, {"diagnostics", here}}, here);
  if (place.enclosing) {
    Json all = inside(known.empty() ? here : known, place.enclosing->range);
    all.erase(std::remove_if(all.begin(), all.end(), is_hint), all.end());
    if (all.size() > 1) {
      menu.add(fmt::format("bodkin: Fix all {} problems in {}", all.size(), place.enclosing->name),
               kKindFixAll, kFix,
               {{"textDocument", target}, {"range", place.enclosing->range}, {"diagnostics", all}},
               all);
    }
  }
  menu.add("bodkin: Explain", kKindExplain, kAsk,
           {{"textDocument", target},
            {"range", place.params.range},
            {"profile", "explain"},
            {"prompt", "Explain this problem: " + text_member(here[0], "message")}},
           here);
}

void add_rewrites(Menu& menu, const CodeActionPlace& place, const Capabilities& client) {
  const Json target = {{"uri", place.document->uri}};
  const Range& range = place.params.range;
  const std::string asked = instruction_in_comment(place.document->text, range.start.line);
  if (!asked.empty()) {
    menu.add("bodkin: " + shortened(asked, 60), kKindRewrite, kAsk,
             {{"textDocument", target}, {"range", range}, {"prompt", asked}});
  }
  if (!client.input) return;
  if (range.start != range.end) {
    menu.add("bodkin: Rewrite selection…", kKindRewrite, kAsk,
             {{"textDocument", target}, {"range", range}});
  } else if (place.enclosing) {
    menu.add(fmt::format("bodkin: Rewrite “{}”…", place.enclosing->name), kKindRewrite, kAsk,
             {{"textDocument", target}, {"range", place.enclosing->range}});
  }
}

// Adds next edits where the person edits and where the same is implied, so that no other menu
// grows.
void add_implied(Menu& menu, const CodeActionPlace& place, const Capabilities& client,
                 Encoding encoding) {
  if (!place.implied || !client.action_literals || !menu.wants(kKindRewrite)) return;
  ImpliedEdits implied = place.implied();
  std::vector<NextEdit>& next = implied.next.edits;
  // If nothing can be changed for the person, the language's own server says what is wrong.
  std::erase_if(next, [](const NextEdit& edit) { return !edit.message.empty(); });
  if (next.empty()) return;
  const auto is_here = [&](const LineRange& lines) {
    return lines.begin <= place.params.range.end.line && place.params.range.start.line < lines.end;
  };
  const auto here = std::ranges::find_if(next, is_here, &NextEdit::lines);
  if (here == next.end() && !is_here(implied.edited)) return;
  const Text& text = place.document->text;
  const auto add = [&](const std::string& where, std::span<const NextEdit> edits) {
    Json changes = Json::array();
    for (const NextEdit& edit : edits) changes.push_back(text_edit(text, edit.change, encoding));
    Json edit;
    if (client.document_changes)
      edit["documentChanges"] = {
          {{"textDocument", {{"uri", place.document->uri}, {"version", place.document->version}}},
           {"edits", std::move(changes)}}};
    else
      edit["changes"][place.document->uri] = std::move(changes);
    menu.add_found({{"title", plain_line("bodkin: " + implied.what() + " " + where)},
                    {"kind", kKindRewrite},
                    {"edit", std::move(edit)}});
  };
  if (here != next.end())
    add("here", std::span(here, 1));
  else
    add(fmt::format("at line {}", next[0].lines.begin + 1), std::span(next).first(1));
  if (next.size() > 1) add(fmt::format("at all {} places", next.size()), next);
}

// In every document, at every place: the user must not have to look for them.
void add_questions(Menu& menu, const Questions& questions, const Capabilities& client) {
  for (const Questions::Question& question : questions.open()) {
    const std::string what = shortened(question.permission.title, 80);
    // Our own clients show the question once, and whole.
    const auto add = [&](const std::string& title, const char* choice) {
      Json data;
      if (client.proposals)
        data = {{"question", plain_line(question.permission.title)}, {"choice", title}};
      menu.add("bodkin: " + title + ": " + what, kKindQuestion, kAnswer,
               {{"questionId", question.id}, {"choice", choice}}, Json(), data);
    };
    if (!question.permission.detail.empty()) add("Show details", "show");
    add("Allow once", "once");
    const Decision::Choice longest = question.permission.longest;
    if (longest >= Decision::session) add("Allow for this session", "session");
    if (longest >= Decision::workspace) add("Allow in this workspace", "workspace");
    add("Deny", "reject");
  }
}

}  // namespace

std::string ImpliedEdits::what() const { return is_predicted ? "Next edit" : next.what; }

Json code_actions(const CodeActionPlace& place, const Capabilities& client,
                  const DiagnosticsBridge& bridge, const Documents& documents, Proposals& proposals,
                  ProposalApplier& applier, const Questions& questions) {
  Menu menu(place, client);
  add_questions(menu, questions, client);
  if (!place.document || place.document->lost) return menu.take();
  add_proposals(menu, place, client, documents, proposals, applier);
  // If `automatic`, nothing that would start work is offered: the editor asks at every move.
  if (!place.params.automatic || !place.params.diagnostics.empty()) add_fixes(menu, place, bridge);
  if (!place.params.automatic) add_implied(menu, place, client, documents.encoding());
  if (!place.params.automatic) add_rewrites(menu, place, client);
  if (place.is_asking) menu.add("bodkin: Cancel", kKindCancel, kCancel, Json::object());
  return menu.take();
}

Result<Json> resolved(Json action, Proposals& proposals, ProposalApplier& applier) {
  if (!action.is_object() || action.contains("edit") || action.contains("command")) return action;
  const auto data =
      arguments_of("codeAction/resolve", "proposalId, hunks?", member(action, "data"));
  if (!data) return action;
  const std::vector<size_t>* part = data->hunks ? &*data->hunks : nullptr;
  auto edit = applier.edit_of(data->proposal_id, part);
  if (!edit) return std::unexpected(edit.error());
  proposals.set_offered(data->proposal_id, part);
  action["edit"] = *std::move(edit);
  return action;
}

}  // namespace bodkin::lsp
