#include "agent/workspace/redaction.h"

#include <fmt/format.h>

#include "agent/support/shown_text.h"
#include "agent/workspace/secrets.h"
#include "edits/plan/diff.h"

namespace bodkin {

namespace {

Text redacted(const Text& text, size_t* count) {
  const std::string whole = text.str();
  if (find_secrets(whole).empty()) return text;
  WithoutSecrets without = without_secrets(whole);
  if (count) *count = without.count;
  return Text(std::move(without.text));
}

// `text` with each marker replaced by its secret.
std::string with_secrets(std::string text,
                         const std::map<std::string, std::string, std::less<>>& secrets) {
  for (const auto& [marker, secret] : secrets) {
    for (size_t at = 0; (at = text.find(marker, at)) != text.npos; at += secret.size())
      text.replace(at, marker.size(), secret);
  }
  return text;
}

}  // namespace

std::string words_of(const Withheld& withheld) {
  std::string words;
  size_t sum = 0, files = 0;
  for (const auto& [path, count] : withheld) {
    if (count == 0 || path.empty()) continue;
    sum += count;
    if (++files > 5) continue;
    words += fmt::format("{}{}{} in {}", words.empty() ? "" : ", ", count,
                         words.empty() ? (count == 1 ? " secret" : " secrets") : "", path);
  }
  if (files > 5) words += " and " + counted(files - 5, "more file");
  const auto elsewhere = withheld.find("");
  if (elsewhere != withheld.end() && elsewhere->second > 0) {
    sum += elsewhere->second;
    words += words.empty() ? counted(elsewhere->second, "secret") + " in the request"
                           : fmt::format(" and {} elsewhere", elsewhere->second);
  }
  if (words.empty()) return words;
  return words + (sum == 1 ? " was" : " were") + " not sent to the model.";
}

Result<Snapshot> RedactedWorkspace::read(std::string_view path, const Task& task) {
  auto file = below_.read(path, task);
  if (!file) return file;
  size_t count = 0;
  file->text = redacted(file->text, &count);
  if (count > 0) withheld_[std::string(path)] = count;
  return file;
}

size_t redact(ModelRequest& request) {
  size_t count = 0;
  const auto hide = [&count](std::string& text) {
    if (find_secrets(text).empty()) return;
    WithoutSecrets without = without_secrets(text);
    count += without.count;
    text = std::move(without.text);
  };
  hide(request.system);
  for (Message& message : request.messages) {
    if (message.role == Message::Role::assistant) continue;
    for (Block& block : message.blocks) {
      if (auto* text = std::get_if<TextBlock>(&block)) hide(text->text);
      if (auto* result = std::get_if<ToolResult>(&block)) hide(result->content);
    }
  }
  return count;
}

// Decides: how secrets return into a model's edits.
Result<void> put_secrets_back(std::vector<ChangedFile>& files, Workspace& workspace,
                              const Task& task) {
  const auto refused = [](const std::string& path, const char* why) {
    return fail_with_advice(
        Error::Code::invalid_input,
        "The edit of " + path + " " + why +
            "; the marker \"[secret … removed by bodkin]\" stands for a secret that is not shown.",
        "Leave the marker where it is, or remove it with its line.");
  };
  for (ChangedFile& file : files) {
    WithoutSecrets shown;
    std::optional<Text> raw;
    if (file.before) {
      auto now = workspace.read(file.path, task);
      if (!now) return std::unexpected(now.error());
      raw = std::move(now->text);
      shown = without_secrets(raw->str());
    }
    if (!file.after) {
      if (raw) file.before = std::move(raw);
      continue;
    }
    if (!shown.secrets.empty() && file.before->str() != shown.text) {
      return fail(Error::Code::invalid_input, file.path + " has changed since it was read.");
    }
    const auto before = markers_in(shown.text);
    std::string after = file.after->str();
    for (const auto& [marker, count] : markers_in(after)) {
      const auto known = before.find(marker);
      if (known == before.end()) return refused(file.path, "would replace text with a marker");
      if (count > known->second) return refused(file.path, "would copy a secret");
    }
    after = with_secrets(std::move(after), shown.secrets);
    if (has_piece_of_marker(after) && !(raw && has_piece_of_marker(raw->str())))
      return refused(file.path, "would change a marker");
    if (shown.secrets.empty()) continue;
    file.after = Text(std::move(after));
    file.before = std::move(raw);
    file.edits = changed_lines(*file.before, *file.after);
  }
  return {};
}

}  // namespace bodkin
