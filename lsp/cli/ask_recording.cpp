#include "lsp/cli/ask_recording.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "agent/history/hidden.h"
#include "agent/workspace/secrets.h"

namespace bodkin {

using nlohmann::json;

namespace {

// The texts in it, also the names of members, without secrets.
json without_secrets_in(const json& value) {
  if (value.is_string()) return hide_secrets(value.get<std::string>());
  if (!value.is_structured()) return value;
  json result = value.is_object() ? json::object() : json::array();
  if (value.is_object()) {
    for (const auto& [key, each] : value.items())
      result[hide_secrets(key)] = without_secrets_in(each);
  } else {
    for (const json& each : value) result.push_back(without_secrets_in(each));
  }
  return result;
}

json recorded_reply(const ModelReply& reply) {
  json made = {{"text", ""}, {"stop_reason", name_of(reply.stop_reason)}};
  for (const Block& block : reply.message.blocks) {
    if (const auto* text = std::get_if<TextBlock>(&block)) {
      made["text"] = made["text"].get<std::string>() + text->text;
    } else if (const auto* thought = std::get_if<ThinkingBlock>(&block)) {
      made["thinking"] = made.value("thinking", "") + thought->text;
    } else if (const auto* call = std::get_if<ToolCall>(&block)) {
      made["tool_calls"].push_back(
          {{"id", call->id}, {"name", call->name}, {"arguments", call->arguments}});
    }
  }
  const Usage& usage = reply.usage;
  made["usage"] = {{"input", usage.input},
                   {"cache_read", usage.cache_read},
                   {"cache_write", usage.cache_write},
                   {"output", usage.output},
                   {"reasoning", usage.reasoning}};
  return made;
}

}  // namespace

Result<FileDescriptor> open_recording(const std::string& file) {
  FileDescriptor out(
      ::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (out) return out;
  return fail(Error::Code::unavailable,
              fmt::format("cannot write the recording {}: {}", file, std::strerror(errno)));
}

Result<Snapshot> RecordedWorkspace::read(std::string_view path, const Task& task) {
  auto snapshot = below_.read(path, task);
  if (snapshot) files_.try_emplace(std::string(path), snapshot->text.str());
  return snapshot;
}

json RecordedWorkspace::files() const { return files_; }

std::expected<ModelReply, ModelError> RecordedModel::respond(const ModelRequest& request,
                                                             const Task& task) {
  auto reply = model_.respond(request, task);
  if (reply) {
    turns_.push_back({{"reply", recorded_reply(*reply)}});
  } else if (reply.error().kind != "cancelled") {
    const ModelError& error = reply.error();
    turns_.push_back(
        {{"error", {{"kind", error.kind}, {"message", error.message}, {"status", error.status}}}});
  }
  return reply;
}

json json_of(const AskRequest& request) {
  json files = json::array();
  for (const AskRequest::File& file : request.attachments) files.push_back(file.path);
  if (const auto& selection = request.selection) {
    files.push_back(fmt::format("{}:{}-{}", selection->path, selection->lines.begin + 1,
                                std::max(selection->lines.end, selection->lines.begin + 1)));
  }
  return {{"prompt", request.prompt},
          {"profile", request.profile},
          {"format", request.edit_format},
          {"files", std::move(files)}};
}

Result<void> write_recording(const std::string& file, const json& ask,
                             const RecordedWorkspace& workspace, const RecordedModel& model) {
  const json recording = without_secrets_in({{"name", ask.value("prompt", "")},
                                             {"ask", ask},
                                             {"files", workspace.files()},
                                             {"turns", model.turns()}});
  // A key may be in several strings, a line each.
  const json clean = without_secret_bytes(recording);
  if (clean.is_null())
    return fail(Error::Code::unavailable, "not recorded: it would contain a secret");
  const std::string text = clean.dump(1, ' ', false, json::error_handler_t::replace) + "\n";
  const auto out = open_recording(file);
  if (!out) return std::unexpected(out.error());
  for (size_t at = 0; at < text.size();) {
    const ssize_t count = ::write(out->number(), text.data() + at, text.size() - at);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return fail(Error::Code::unavailable, "cannot write the recording " + file);
    at += static_cast<size_t>(count);
  }
  return {};
}

}  // namespace bodkin
