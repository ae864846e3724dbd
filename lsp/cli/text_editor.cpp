#include "lsp/cli/text_editor.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>

#include "agent/platform/files.h"
#include "agent/platform/paths.h"
#include "agent/support/read_file.h"
#include "lsp/cli/own_process.h"
#include "lsp/cli/terminal_editor.h"

namespace bodkin {

namespace {

namespace fs = std::filesystem;

std::string editor_command() {
  for (const char* name : {"VISUAL", "EDITOR"})
    if (const char* const own = os::getenv(name); own && *own) return own;
  return kUsualEditor;
}

}  // namespace

std::optional<std::string> edited_by_user(const std::string& text, const std::string& name) {
  constexpr size_t kMostEdited = 16 << 20;  // bytes
  std::string folder = os::text_of(fs::path(os::temporary_folder()) / "bodkin-XXXXXX");
  if (!os::make_unique_folder(folder))
    return say("There is no place for a temporary file."), std::nullopt;
  const fs::path file = fs::path(folder) / fs::path(name).filename();
  std::ofstream(file, std::ios::binary) << text;
  const std::string command = editor_command();
  const bool is_done = run_editor(command, os::text_of(file));
  auto edited = read_file(os::text_of(file), kMostEdited);
  std::error_code ignored;
  os::remove_all(folder, ignored);
  if (!is_done || !edited)
    return say(fmt::format("The editor ({}) has failed; the hunk is as it was.", command)),
           std::nullopt;
  if (text.ends_with('\n') && !edited->empty() && !edited->ends_with('\n')) *edited += '\n';
  if (!text.ends_with('\n') && edited->ends_with('\n')) edited->pop_back();  // of an editor
  return *std::move(edited);
}

}  // namespace bodkin
