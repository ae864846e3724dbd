#include "agent/checkers/drafted_project.h"

#include "agent/checkers/script_projects.h"
#include "agent/support/read_file.h"

namespace bodkin {

namespace {

constexpr size_t kMaxText = 16u << 20;  // bytes of a file

}  // namespace

std::optional<Text> DraftedProject::disk_text(const std::string& path) const {
  auto bytes = read_file(path, kMaxText);
  if (!bytes) return std::nullopt;
  return Text(*std::move(bytes));
}

std::optional<Text> DraftedProject::text_now(const std::string& path) const {
  const auto buffer = request_.buffers.find(path);
  return buffer != request_.buffers.end() ? buffer->second : disk_text(full(path));
}

std::optional<Text> DraftedProject::drafted(const std::string& path) const {
  for (const ChangedFile& file : request_.files)
    if (file.last_path() == path && file.after) return file.after;
  const auto buffer = request_.buffers.find(path);
  return buffer == request_.buffers.end() ? std::nullopt : std::optional(buffer->second);
}

std::optional<Text> DraftedProject::text_then(const std::string& path) const {
  auto draft = drafted(path);
  return draft ? draft : disk_text(full(path));
}

bool DraftedProject::is_as_on_disk(const ChangedFile& file) const {
  const auto text = disk_text(full(file.path));
  return text.has_value() == file.before.has_value() && (!text || *text == *file.before);
}

SandboxFolder DraftedProject::view(bool with_draft) const {
  SandboxFolder view{.folder = root_};
  for (const auto& [path, text] : request_.buffers)
    view.drafts.push_back({.path = path, .text = text.str()});
  for (const ChangedFile& file : request_.files) {
    if (!with_draft) {
      if (file.before && !is_as_on_disk(file))
        view.drafts.push_back({.path = file.path, .text = file.before->str()});
      continue;
    }
    if (!file.after || file.rename_to) view.absent.push_back(file.path);
    if (file.after) view.drafts.push_back({.path = file.last_path(), .text = file.after->str()});
  }
  return view;
}

std::optional<std::string> DraftedProject::text_of_project(const std::string& path) const {
  const auto text = text_now(path);
  if (!text) return std::nullopt;
  return path.ends_with(".toml") ? pyright_settings(text->str()) : std::optional(text->str());
}

}  // namespace bodkin
