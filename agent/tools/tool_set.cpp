#include "agent/tools/tool_set.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "agent/support/json.h"
#include "edits/text/shortened.h"

namespace bodkin {

namespace {

constexpr std::string_view kRunCommand = "run_command";

bool holds_name(std::span<const std::string> names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

// Compares two readings of a call, whatever the names of the dialects it fits.
bool mean_the_same(const ResolvedCall& a, const ResolvedCall& b) {
  return a.tool == b.tool && a.arguments == b.arguments && a.ends == b.ends &&
         a.reads_first == b.reads_first && (a.tool || a.answer == b.answer);
}

// The outcome in the form of a command's result.
std::string as_observation(const ToolOutcome& outcome) {
  if (outcome.content.starts_with("<returncode>")) return outcome.content;
  return fmt::format("<returncode>{}</returncode>\n<output>\n{}{}</output>\n",
                     outcome.is_error ? 1 : 0, outcome.content,
                     outcome.content.ends_with('\n') ? "" : "\n");
}

WrongCall wrong_call(const std::string& tool, const Error& error, bool edits) {
  return {tool + ": " + with_advice(error), error.message, edits};
}

}  // namespace

ToolSet::ToolSet(std::span<const std::string> names, const ToolDialect* dialect, ToolBench& bench)
    : names_(names.begin(), names.end()), dialect_(dialect), bench_(&bench) {
  if (names_.empty()) return;
  // A profile that edits may do so with any of our tools; one that does not, with none.
  tools_ = make_tools(tool_names(), bench);
  const bool edits = std::ranges::any_of(
      tools_, [&](const Tool& tool) { return tool.edits && holds_name(names_, tool.spec.name); });
  std::erase_if(tools_, [&](const Tool& tool) {
    if (holds_name(names_, tool.spec.name)) return false;
    return tool.edits ? !edits : tool.asks_itself;
  });
  std::vector<std::string> replaced;
  if (dialect_) {
    replaced = dialect_->replaces;
    for (const ForeignTool& tool : dialect_->tools) {
      if (!is_possible(tool) || !tool.is_offered) continue;
      replaced.push_back(tool.spec.name);
      for (const ForeignCase& one : tool.cases) replaced.push_back(one.tool);
    }
  }
  for (const std::string& name : names_) {
    const Tool* tool = own(name);
    if (tool && !holds_name(replaced, name)) offered_.push_back(tool->spec);
  }
  if (!dialect_) return;
  for (const ForeignTool& tool : dialect_->tools) {
    if (is_possible(tool) && tool.is_offered) offered_.push_back(offered_spec(tool));
  }
}

bool ToolSet::offer(std::string_view name) {
  const Tool* tool = own(name);
  if (!tool) return false;
  if (std::ranges::find(offered_, name, &ToolSpec::name) == offered_.end())
    offered_.push_back(tool->spec);
  return true;
}

void ToolSet::add(std::vector<Tool> tools) {
  for (Tool& tool : tools) {
    offered_.push_back(tool.spec);
    tools_.push_back(std::move(tool));
  }
}

const Tool* ToolSet::own(std::string_view name) const {
  const auto found =
      std::ranges::find_if(tools_, [&](const Tool& tool) { return tool.spec.name == name; });
  return found == tools_.end() ? nullptr : &*found;
}

bool ToolSet::is_possible(const ForeignTool& tool) const {
  if (!tool.needs.empty() && !own(tool.needs)) return false;
  return std::ranges::any_of(tool.cases, [&](const ForeignCase& one) {
    return one.tool.empty() || own(one.tool) != nullptr;
  });
}

std::string ToolSet::why_missing(std::string_view name) const {
  if (name != kRunCommand || !holds_name(names_, name)) return "This is not possible here.";
  return bench_->shell ? "Commands cannot run here: this machine has no sandbox for them."
                       : "Commands cannot run here: this folder is not trusted.";
}

// Adds what the user can do about it.
WrongCall ToolSet::with_way(WrongCall wrong) const {
  if (bench_->shell || bench_->way_to_trust.empty() || wrong.reason != why_missing(kRunCommand))
    return wrong;
  wrong.reason.pop_back();
  wrong.reason += "; " + bench_->way_to_trust + ".";
  return wrong;
}

bool ToolSet::may_edit(const ForeignTool& tool, std::string_view arguments) const {
  const bool says_which = std::ranges::any_of(
      tool.cases, [&](const ForeignCase& one) { return may_mean(one, arguments); });
  return std::ranges::any_of(tool.cases, [&](const ForeignCase& one) {
    const Tool* target = own(one.tool);
    return target && target->edits && (!says_which || may_mean(one, arguments));
  });
}

bool ToolSet::may_edit(std::string_view name, std::string_view arguments) const {
  const ForeignTool* foreign = dialect_ ? dialect_->find(name) : nullptr;
  if (foreign) return may_edit(*foreign, arguments);
  if (const Tool* tool = own(name)) return tool->edits;
  return std::ranges::any_of(dialects(), [&](const ToolDialect& dialect) {
    const ForeignTool* tool = dialect.find(name);
    return tool && may_edit(*tool, arguments);
  });
}

std::expected<ResolvedCall, WrongCall> ToolSet::resolve(const Tool& tool,
                                                        nlohmann::json arguments) const {
  if (tool.checks_arguments) return ResolvedCall{.tool = &tool, .arguments = std::move(arguments)};
  if (auto wrong = coerce_arguments(tool.spec, arguments))
    return std::unexpected(wrong_call(tool.spec.name, *wrong, tool.edits));
  // The dialect's tool for it needs nothing to have been read either.
  const bool reads_first = !dialect_ || dialect_->reads_first || !dialect_->uses(tool.spec.name);
  return ResolvedCall{.tool = &tool, .arguments = std::move(arguments), .reads_first = reads_first};
}

std::expected<ResolvedCall, WrongCall> ToolSet::resolve(const ToolDialect& dialect,
                                                        const ForeignTool& tool,
                                                        const nlohmann::json& arguments) const {
  auto call = translate(tool, arguments);
  if (!call)
    return std::unexpected(
        wrong_call(tool.spec.name, call.error(), may_edit(tool, text_of_json(arguments))));
  ResolvedCall resolved{.answer = call->meaning->answer,
                        .reason = std::move(call->reason),
                        .says = std::move(call->says),
                        .notes = std::move(call->notes),
                        .ends = call->meaning->ends,
                        .observation = tool.observation,
                        .reads_first = dialect.reads_first};
  if (call->meaning->tool.empty()) return resolved;
  resolved.tool = own(call->meaning->tool);
  if (!resolved.tool)
    return std::unexpected(
        with_way(wrong_call(tool.spec.name, {.message = why_missing(call->meaning->tool)}, false)));
  // The values are checked once more: the mapping may have changed them.
  auto checked = resolve(*resolved.tool, std::move(call->arguments));
  if (!checked) return checked;
  resolved.arguments = std::move(checked->arguments);
  return resolved;
}

// Decides: what a tool call means.
std::expected<ResolvedCall, WrongCall> ToolSet::resolve(const ToolCall& call) const {
  std::optional<WrongCall> wrong;  // the first reason counts
  const auto keep = [&](WrongCall one) {
    if (!wrong) wrong = std::move(one);
  };
  if (const ForeignTool* tool = dialect_ ? dialect_->find(call.name) : nullptr) {
    auto resolved = resolve(*dialect_, *tool, call.arguments);
    if (resolved) return resolved;
    keep(std::move(resolved.error()));
  }
  if (const Tool* tool = own(call.name)) {
    auto resolved = resolve(*tool, call.arguments);
    if (resolved) return resolved;
    if (holds_name(names_, call.name)) keep(std::move(resolved.error()));
  }
  std::vector<ResolvedCall> fitting;
  std::string known, reason;
  bool edits = false, runs = call.name == kRunCommand;
  for (const ToolDialect& dialect : dialects()) {
    const ForeignTool* tool = tools_.empty() ? nullptr : dialect.find(call.name);
    runs = runs || (tool && tool->needs == kRunCommand);
    if (!tool || !is_possible(*tool) || &dialect == dialect_) continue;
    auto resolved = resolve(dialect, *tool, call.arguments);
    if (resolved) {
      const auto is_same = [&](const ResolvedCall& other) {
        return mean_the_same(*resolved, other);
      };
      if (std::ranges::none_of(fitting, is_same)) fitting.push_back(std::move(*resolved));
      continue;
    }
    known += (known.empty() ? "" : "\n") + resolved.error().told;
    if (reason.empty()) reason = resolved.error().reason;
    edits = edits || resolved.error().edits;
  }
  if (fitting.size() == 1) return std::move(fitting[0]);
  std::string names;
  for (const ToolSpec& spec : offered_) names += (names.empty() ? "" : ", ") + spec.name;
  const auto keep_unknown = [&](const std::string& why, const std::string& advice) {
    keep(with_way({why + " " + advice, why, false}));
  };
  if (fitting.size() > 1)
    keep_unknown(call.name + " has several meanings here.",
                 "Use the available tools: " + names + ".");
  if (!known.empty()) keep({std::move(known), std::move(reason), edits});
  const bool is_off = runs && holds_name(names_, kRunCommand) && !own(kRunCommand);
  keep_unknown(
      is_off ? why_missing(kRunCommand) : "Unknown tool \"" + shortened_to(call.name, 100) + "\".",
      names.empty() ? "Write edit blocks." : "Available tools: " + names + ".");
  return std::unexpected(std::move(*wrong));
}

std::string reason_of(const ToolOutcome& outcome) {
  return outcome.reason.empty() ? outcome.content.substr(0, outcome.content.find('\n'))
                                : outcome.reason;
}

ToolOutcome ToolSet::run(const ResolvedCall& call, const Task& task) const {
  if (!call.tool) return {call.answer};
  bench_->reads_first = call.reads_first;
  ToolOutcome outcome = call.tool->run(call.arguments, task);
  bench_->reads_first = true;
  if (!call.notes.empty()) {
    if (!outcome.content.empty() && !outcome.content.ends_with('\n')) outcome.content += '\n';
    outcome.content += call.notes;
  }
  if (!call.observation) return outcome;
  if (outcome.is_error) outcome.reason = reason_of(outcome);
  outcome.content = as_observation(outcome);
  return outcome;
}

}  // namespace bodkin
