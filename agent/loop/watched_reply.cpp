#include "agent/loop/watched_reply.h"

#include <utility>

#include "agent/loop/tags.h"
#include "agent/models/http/retry.h"
#include "agent/placing/streamed_edits.h"

namespace bodkin {

std::expected<ModelReply, ModelError> respond_watched(Model& model, const ModelRequest& request,
                                                      const Watching& watching, const Task& task) {
  const auto report = [&](Progress::Kind kind, std::string text) {
    if (task.report) task.report({kind, std::move(text)});
  };
  watching.text.clear();
  StreamedEdits edits;
  TagFilter tags(watching.tags);
  const Task watched{task.stop, [&](const Progress& progress) {
                       if (progress.kind == Progress::Kind::status) {  // it starts again
                         tags = TagFilter(watching.tags);
                         edits = {};
                         watching.text.clear();
                       }
                       if (progress.kind != Progress::Kind::text) {
                         if (task.report) task.report(progress);
                         return;
                       }
                       watching.text += progress.text;
                       if (watching.tags.empty()) {
                         report(Progress::Kind::text, progress.text);
                       } else if (std::string text = tags.add(progress.text); !text.empty()) {
                         report(Progress::Kind::text, std::move(text));
                       }
                       if (!watching.edits) return;
                       if (auto told = edits.add(progress.text)) {
                         report(Progress::Kind::editing, std::move(*told));
                       }
                     }};
  auto reply = respond_whole(model, request, watched);
  if (std::string rest = tags.end(); !rest.empty()) report(Progress::Kind::text, std::move(rest));
  return reply;
}

}  // namespace bodkin
