// bodkin replay: an ask that was recorded, played again on a copy of its files in a private folder.
#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "agent/support/json.h"
#include "agent/support/read_file.h"
#include "agent/support/shown_text.h"
#include "agent/support/temporary_folder.h"
#include "lsp/cli/commands.h"

namespace bodkin {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr size_t kMaxRecording = 256 << 20;

int refuse_recording(const std::string& why) {
  put(stderr, fmt::format("bodkin replay: {}\n", why));
  return 1;
}

// Below a folder that is new and has no links.
bool is_inside(const fs::path& path) {
  if (path.empty() || path.is_absolute()) return false;
  for (const fs::path& part : path) {
    if (part == ".." || part == ".git") return false;
  }
  return path.string().find('\0') == std::string::npos;
}

}  // namespace

int replay_command(const ReplayCommand& options) {
  std::error_code error;
  const fs::path file = fs::absolute(options.recording, error);
  const auto text = read_file(file.string(), kMaxRecording);
  if (!text) return refuse_recording(text.error().message);
  const json recording = parse_json(*text).value_or(json());
  const json ask = recording.is_object() ? recording.value("ask", json()) : json();
  if (!ask.is_object() || !ask.contains("prompt") || !ask["prompt"].is_string())
    return refuse_recording("this is not a recording made by bodkin ask --record");
  const auto folder = TemporaryFolder::make(TemporaryFolder::Where::disk);
  if (!folder) return refuse_recording(folder.error().message);
  const fs::path root = fs::path(folder->path()) / "workspace";
  fs::create_directories(root, error);
  const json files = recording.value("files", json::object());
  for (const auto& [path, content] : files.items()) {
    if (!content.is_string() || !is_inside(path))
      return refuse_recording("the recording contains a path outside its folder: " +
                              plain_line(path));
    fs::create_directories((root / path).parent_path(), error);
    std::ofstream out(root / path, std::ios::binary);
    out << content.get_ref<const std::string&>();
    out.close();
    if (!out) return refuse_recording("cannot write its file " + plain_line(path));
  }
  const auto member = [&](const char* name) {
    const json value = ask.value(name, json());
    return value.is_string() ? value.get<std::string>() : std::string();
  };
  AskCommand again;
  again.prompt = member("prompt");
  again.profile = member("profile");
  again.format = member("format");
  again.mode = "confirm";
  again.root = root.string();
  again.provider = "replay";
  again.model = file.string();
  again.diff = !options.json;
  again.json = options.json;
  for (const json& each : ask.value("files", json::array())) {
    if (!each.is_string() || !is_inside(each.get<std::string>())) continue;
    again.files.push_back((root / each.get<std::string>()).string());
  }
  return ask_command(again);
}

}  // namespace bodkin
