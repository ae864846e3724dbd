#include "agent/loop/opening.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "agent/checkers/draft_checker.h"
#include "agent/context/diagnostics.h"
#include "agent/context/guidance.h"
#include "agent/context/mentions.h"
#include "agent/context/prompt.h"
#include "agent/loop/conversation_messages.h"
#include "agent/loop/uncommitted.h"
#include "agent/loop/window.h"
#include "agent/models/image.h"
#include "agent/sandbox/shell.h"
#include "agent/support/shown_text.h"
#include "agent/tools/tools.h"
#include "agent/workspace/privacy.h"

namespace bodkin {

namespace {

constexpr size_t kAroundRequest = 500;  // bytes: the environment, and words around files
// The smallest window that is offered tools; their description alone is more than half of it.
constexpr int64_t kTokensForTools = 6'000;

constexpr char kRefine[] =
    "This is about your proposal, which has not been applied yet. Files are shown, and edited, "
    "with the proposal in place.\n\n";

// The pictures of an ask. Errors, for the user: one that is private or cannot be sent.
Result<std::vector<ImageBlock>> images_of(const Ask& ask, const Model& model,
                                          const GuardedWorkspace& guard) {
  std::vector<ImageBlock> images;
  for (const auto& [path, file] : ask.images) {
    if (model.facts().has_images == false) {
      return fail(Error::Code::invalid_input,
                  model.description() + " does not accept images: ask without " + path +
                      ", or choose a model that does (bodkin.selectModel).");
    }
    if (guard.is_private(path)) {
      return fail(Error::Code::invalid_input, path + " is private and is never sent to a model.");
    }
    auto image = load_image(file);
    if (!image) return std::unexpected(image.error());
    images.push_back(*std::move(image));
  }
  return images;
}

bool can_edit(const Profile& profile) {
  return profile.edits_in_text || profile.is_shell ||
         std::ranges::any_of(profile.tools, is_editing_tool);
}

// `before`: the profile of the conversation's last ask; nullopt if there is none any more.
// Decides: which profile `auto` is.
std::string profile_name(const Ask& ask, const std::optional<Profile>& before, const Model& model,
                         const Limits& limits) {
  if (ask.profile != "auto" && !ask.profile.empty()) return ask.profile;
  const bool has_tools =
      model.has_tools() && window_of(model, limits).value_or(kTokensForTools) >= kTokensForTools;
  std::string name = before && can_edit(*before) ? before->name : "";
  if (name == "tools" && !has_tools) name.clear();  // another model was chosen
  const bool chose_format = !ask.edit_format.empty() && ask.edit_format != "auto";
  if (chose_format && (name.empty() || name == "tools")) name = "blocks";
  if (name.empty()) name = has_tools ? "tools" : "blocks";
  return name;
}

// Error, for the user: invalid_input.
Result<void> check_plan(const Profile& profile) {
  const auto edits = std::ranges::find_if(profile.tools, is_editing_tool);
  if (!profile.is_plan || (!profile.edits_in_text && edits == profile.tools.end())) return {};
  return fail(Error::Code::invalid_input,
              "The profile \"" + profile.name + "\" makes a plan, so it cannot have " +
                  (profile.edits_in_text ? "edits in its text" : "the tool \"" + *edits + "\"") +
                  ".");
}

// Error, for the user: unavailable.
Result<void> check_commands(const Profile& profile, const Shell* shell, Editor* editor) {
  if (!profile.is_shell || (shell && can_run_commands(*shell, editor))) return {};
  return fail(Error::Code::unavailable,
              "Profile \"" + profile.name + "\" works by commands, but " +
                  (shell ? "this machine has no sandbox to run them in."
                         : "commands cannot run in an untrusted folder; list trusted folders in "
                           "bodkin.workspace.trusted (settings.json)."));
}

bool mentions(const Ask& ask, Mention::Kind kind) {
  const auto all = mentions_in(ask.prompt);
  return std::ranges::find(all, kind, &Mention::kind) != all.end();
}

// Error: not_found.
// `profile`: by its name alone.
Result<const ToolDialect*> dialect_of(const Ask& ask, const Conversation& conversation,
                                      const Profile& profile, const Model& model) {
  const bool goes_on = ask.dialect.empty() && !conversation.messages.empty();
  const bool by_model = !goes_on && (ask.dialect.empty() || ask.dialect == "auto");
  const std::string by_name = profile.own_tools ? "" : model.facts().dialect;
  const std::string name = by_model ? by_name : goes_on ? conversation.dialect : ask.dialect;
  const ToolDialect* dialect = find_dialect(name);
  // A user's models.json may hold any word.
  if (!dialect && !name.empty())
    return fail(Error::Code::not_found, "There is no dialect \"" + name + "\".");
  return dialect;
}

// The bytes available for each part of the first message.
struct OpeningRoom {
  OpeningRoom(size_t room, const Profile& profile, const Ask& ask, bool goes_on) {
    const size_t fixed = profile.system.size() + ask.prompt.size() + kAroundRequest;
    size_t left = room - std::min(room, fixed);
    if (goes_on) left /= 2;  // the rest is for what was said
    guidance = std::min(kGuidanceBudget, left / 4);
    map = left / 8;
    if (mentions(ask, Mention::Kind::diff) || mentions(ask, Mention::Kind::staged))
      changes = left / 4;
    files = left - guidance - map - changes;
  }
  size_t guidance = 0, map = 0, changes = 0, files = 0;
};

// Error: not_found.
Result<const EditFormat*> format_of(const Ask& ask, const Conversation& conversation,
                                    const Model& model) {
  const bool goes_on = ask.edit_format.empty() && !conversation.messages.empty();
  const bool by_model = !goes_on && (ask.edit_format.empty() || ask.edit_format == "auto");
  std::string name = by_model  ? model.facts().edit_format
                     : goes_on ? conversation.edit_format
                               : ask.edit_format;
  if (name.empty()) name = kDefaultEditFormat;
  if (const EditFormat* format = find_edit_format(name)) return format;
  return fail(Error::Code::not_found, "There is no edit format \"" + name + "\".");
}

constexpr size_t kMaxFiles = 8;
constexpr size_t kMaxOfFile = 50;  // problems

std::string listed(const std::string& path, const FileReport& report) {
  if (report.problems.empty())
    return fmt::format("{} reports no problems in {}.\n", report.by, shown_name(path));
  std::string text = fmt::format("Problems that {} reports in {}:\n", report.by, shown_name(path));
  const size_t count = std::min(report.problems.size(), kMaxOfFile);
  for (size_t i = 0; i < count; ++i) text += "- " + describe(report.problems[i]) + "\n";
  if (report.problems.size() > count)
    text += fmt::format("- … and {} more\n", report.problems.size() - count);
  return text;
}

// Asks language servers about these files as they are without the draft, for the model; if that is
// not known, the model and the user are told why. `checker`: null if there is none. Blocks.
std::string problems_text(const std::vector<std::string>& named, DraftChecker* checker,
                          GuardedWorkspace& guard, const Task& task) {
  std::string text;
  std::vector<std::string> paths;  // of a folder, its files
  for (const std::string& path : named) {
    if (!path.ends_with('/')) {
      paths.push_back(path);
    } else if (auto inside = guard.list(path.substr(0, path.size() - 1), kMaxFiles, task)) {
      std::ranges::move(*inside, std::back_inserter(paths));
    }
  }
  std::set<std::string> seen;
  for (size_t i = 0; i < paths.size() && seen.size() < kMaxFiles; ++i) {
    if (guard.is_private(paths[i]) || !seen.insert(paths[i]).second) continue;
    if (task.report)
      task.report({Progress::Kind::status, "Looking for problems in " + plain_line(paths[i])});
    const auto report = checker ? checker->report(paths[i], guard, task)
                                : fail(Error::Code::unavailable, "there is no language server");
    if (task.stop.stop_requested()) return text;
    if (report) {
      text += listed(paths[i], *report);
      continue;
    }
    text += fmt::format("The problems in {} are not known: {}.\n", shown_name(paths[i]),
                        report.error().message);
    if (task.report) {
      task.report({Progress::Kind::note,
                   fmt::format("the problems in {} are not known: {}", plain_line(paths[i]),
                               plain_line(report.error().message))});
    }
  }
  return text.empty() ? text : text + "\n";
}

}  // namespace

std::string facts_for(const Ask& ask, const Prompt& prompt, const Limits& limits,
                      GuardedWorkspace& guard, Workspace& shown, size_t room, const Task& task) {
  std::string text;
  for (const bool is_staged : {false, true}) {
    if (mentions(ask, is_staged ? Mention::Kind::staged : Mention::Kind::diff))
      text += uncommitted_text(limits, guard, shown, is_staged, room, task);
  }
  if (ask.wants_problems)
    text += problems_text(paths_of(ask, prompt), limits.checker.get(), guard, task);
  return text;
}

Result<Opening> choose_opening(const Conversation& conversation, const Ask& ask, const Model& model,
                               const std::string& own_profiles, const Limits& limits,
                               Editor* editor) {
  std::optional<Profile> before;
  if (auto known = load_profile(conversation.profile, own_profiles)) before = std::move(*known);
  const std::string name = profile_name(ask, before, model, limits);
  auto profile = load_profile(name, own_profiles);
  if (!profile) return std::unexpected(profile.error());
  const auto dialect = dialect_of(ask, conversation, *profile, model);
  if (!dialect) return std::unexpected(dialect.error());
  const auto format = format_of(ask, conversation, model);
  if (!format) return std::unexpected(format.error());
  profile = load_profile(name, own_profiles, *dialect ? (*dialect)->guide : "", (*format)->name);
  if (!profile) return std::unexpected(profile.error());
  if (auto fits = check_plan(*profile); !fits) return std::unexpected(fits.error());
  if (auto can = check_commands(*profile, limits.shell.get(), editor); !can)
    return std::unexpected(can.error());
  return Opening{std::move(*profile), *dialect, *format};
}

Result<void> say_request(Opening& opening, Conversation& conversation, const Ask& ask,
                         const Model& model, GuardedWorkspace& guard, Workspace& shown, Shown what,
                         const Limits& limits, size_t room, const Task& task) {
  const Profile& profile = opening.profile;
  const std::string& name = profile.name;
  const std::string dialect_name = opening.dialect ? opening.dialect->name : "";
  const bool is_new = conversation.system.empty() || conversation.profile != name ||
                      conversation.dialect != dialect_name ||
                      (profile.teaches_format && conversation.edit_format != opening.format->name);
  const OpeningRoom rooms(room, profile, ask, !conversation.messages.empty());
  const bool writes_whole_files = profile.teaches_format && opening.format->is_whole();
  auto prompt = user_prompt(ask, shown, what, writes_whole_files, rooms.files, task);
  if (!prompt) return std::unexpected(prompt.error());
  prompt->text = facts_for(ask, *prompt, limits, guard, shown, rooms.changes, task) + prompt->text;
  auto images = images_of(ask, model, guard);
  if (!images) return std::unexpected(images.error());
  if (!prompt->shortened.empty())
    opening.note =
        fmt::format("The model is shown only a part of {}: its context window is {} tokens",
                    fmt::join(prompt->shortened, ", "), window_of(model, limits).value_or(0));
  TemplateVariables& variables = opening.variables;
  RedactedWorkspace original(guard, conversation.withheld);
  if (is_new) conversation.guidance.clear();
  std::string guidance =
      guidance_text(paths_of(ask, *prompt), conversation.guidance, original, task, rooms.guidance);
  if (is_new && limits.shell) guidance += skills_text(original, task);  // the folder is trusted
  if (!is_new && !guidance.empty()) prompt->text = guidance + "\n" + prompt->text;
  if (is_new || profile.is_shell) {
    const std::string model_name = model.description();
    variables = template_variables(ask, std::move(guidance), original, what,
                                   model_name.substr(0, model_name.find(" at ")), rooms.map, task);
  }
  if (is_new) {
    conversation.system = fill_in(profile.system, variables);
    conversation.profile = name;
    conversation.dialect = dialect_name;
    conversation.edit_format = opening.format->name;
  }
  variables["task"] = ask.prompt;
  variables["n_model_calls"] = "0";
  variables["model_cost"] = "0.00";
  if (profile.is_shell) {
    if (limits.shell) variables["confinement"] = describe_confinement(*limits.shell);
    TemplateVariables with_context = variables;
    with_context["task"] = prompt->text;
    prompt->text = fill_in(profile.shell.instance, with_context);
  }
  Roots roots = guard.roots(task);
  if (conversation.roots != roots && !conversation.messages.empty()) {
    conversation.seen.clear();  // an earlier path may be another file's now
    prompt->text = "The workspace's folders have changed. They are now: " + words_of(roots) +
                   ". Earlier paths may no longer be valid.\n\n" + prompt->text;
  }
  conversation.roots = std::move(roots);
  for (const ShownFile& file : prompt->shown) {
    conversation.seen[file.path] = hash_of(file.text);
  }
  for (ImageBlock& image : *images) say(conversation, std::move(image));
  if (!ask.news.empty()) prompt->text = "[" + ask.news + "]\n\n" + prompt->text;
  say(conversation, (ask.draft.empty() ? "" : kRefine) + std::move(prompt->text));
  return {};
}

}  // namespace bodkin
