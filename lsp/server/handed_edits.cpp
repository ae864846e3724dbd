#include "lsp/server/handed_edits.h"

#include <algorithm>
#include <set>
#include <thread>

#include "agent/ask/gate.h"
#include "agent/placing/placing.h"
#include "agent/platform/paths.h"
#include "agent/platform/polling.h"
#include "agent/rpc/transport.h"
#include "agent/rpc/uri.h"
#include "agent/support/fnv1a.h"
#include "agent/support/path_text.h"
#include "agent/support/real_path.h"
#include "agent/support/shown_text.h"
#include "agent/workspace/privacy.h"
#include "lsp/workspace/disk.h"

namespace bodkin::lsp {

using handover::Answer;
using namespace std::chrono_literals;

namespace {

constexpr std::chrono::seconds kPatience{5};  // for a line of a connection
constexpr std::chrono::seconds kLimit{20};    // for what comes of an edit; the applier's is shorter
// Some say that they did not apply an edit of which they report a part later.
constexpr std::chrono::milliseconds kLateReport{1500};
constexpr size_t kMaxConnections = 16;
constexpr size_t kMaxUnsaved = 8u << 20;  // bytes of all files

Answer refused(std::string why) { return {Answer::State::refused, std::move(why), false, false}; }

// Whether the asked folder is the root, is in it, or contains it.
bool covers(const std::string& root, const std::string& asked) {
  const auto lies_below = [](const std::string& inner, const std::string& outer) {
    return is_below(inner, outer) && is_plain_path(path_in(inner, outer));
  };
  // "/" is everything, and never an agent's.
  const size_t above = os::root_of(asked).size();
  const bool is_folder = above > 0 && is_plain_path(asked.substr(above));
  return asked == root || lies_below(asked, root) || (is_folder && lies_below(root, asked));
}

std::string absolute_of(const Roots& roots, const std::string& path) {
  const auto place = roots.find(path);
  return place ? place->absolute : path;
}

// The workspace's name for a file of the root: as it is open. Error, a sentence: it is open under
// two names, or not in the workspace.
Result<std::string> name_in_workspace(const std::string& root, const std::string& path,
                                      const Roots& roots, const std::vector<std::string>& open) {
  std::string name;
  for (const std::string& one : open) {
    if (path_below(absolute_of(roots, one), root) != path) continue;
    if (!name.empty())
      return fail(Error::Code::ambiguous, path + " is open in the editor under two names.");
    name = one;
  }
  if (!name.empty()) return name;
  const std::string real = join_path(root, path);
  for (const Root& each : roots) {
    const auto inside = is_plain_path(path) ? path_below(real, each.folder) : std::nullopt;
    if (!inside || inside->empty()) continue;
    if (const auto place = roots.find_absolute(join_path(each.folder, *inside))) return place->path;
  }
  return fail(Error::Code::invalid_input, path + " is not in any folder open in the editor.");
}

}  // namespace

// Waits for connections on a thread of its own.
class HandedEdits::Listener {
 public:
  Listener(handover::ListeningSocket socket, std::function<void(FileDescriptor)> connected)
      : socket_(std::move(socket)), thread_([this, connected = std::move(connected)] {
          while (wake_.wait_for(socket_.number(), POLLIN)) {
            if (FileDescriptor connection = socket_.accept())
              connected(std::move(connection));
            else  // too many files are open, perhaps
              std::this_thread::sleep_for(std::chrono::milliseconds(20));
          }
        }) {}
  ~Listener() { wake_.up(); }

 private:
  handover::ListeningSocket socket_;
  Wake wake_;
  std::jthread thread_;
};

HandedEdits::HandedEdits(const Dependencies& dependencies,
                         std::function<std::shared_ptr<Workspace>()> workspace)
    : deps_(dependencies), workspace_(std::move(workspace)) {}

HandedEdits::~HandedEdits() = default;

void HandedEdits::close() { listeners_.clear(); }

void HandedEdits::listen() {
  std::vector<std::string> roots;
  const bool may =
      deps_.trust.is_trusted() && deps_.client.apply_edit && deps_.client.document_changes;
  for (const Root& root : deps_.documents.roots()) {
    const auto real = real_path(root.folder);
    if (may && real) roots.push_back(*real);
  }
  std::erase_if(listeners_, [&](const auto& each) {
    return std::ranges::find(roots, each.first) == roots.end();
  });
  const bool is_first = listeners_.empty();
  for (const std::string& root : roots) {
    if (listeners_.contains(root)) continue;
    auto socket = handover::ListeningSocket::open(root);
    if (!socket) {
      deps_.log.add(MessageType::log, socket.error().message);
      continue;
    }
    listeners_[root] =
        std::make_unique<Listener>(*std::move(socket), [this, root](FileDescriptor connection) {
          deps_.loop.post([this, root, connection = std::move(connection)]() mutable {
            connected(root, std::move(connection));
          });
        });
  }
  if (!is_first) return;
  for (const auto& [uri, document] : deps_.documents.all()) loaded(uri);
}

void HandedEdits::loaded(const std::string& uri) {
  const Document* const document = listeners_.empty() ? nullptr : deps_.documents.find(uri);
  if (!document || document->lost || document->real.empty()) return;
  loaded_.erase(document->real);
  const auto disk = read_from_disk(document->real, "");
  if (disk && *disk == document->text) loaded_[document->real] = fnv1a(document->text.str());
}

void HandedEdits::changed(const std::string& uri) {
  const auto path = loaded_.empty() ? std::nullopt : rpc::path_of_uri(uri);
  if (path) loaded_.erase(real_path(*path).value_or(*path));
}

void HandedEdits::connected(const std::string& root, FileDescriptor connection) {
  if (connections_ == kMaxConnections || !listeners_.contains(root)) return;
  deps_.work.start([this, root, connection = std::move(connection)](const Task& task) {
    serve(root, connection, task);
    deps_.loop.post_reliably([this] { --connections_; });
  });
  ++connections_;
}

void HandedEdits::serve(const std::string& root, const FileDescriptor& connection,
                        const Task& task) {
  const auto line = handover::read_line(connection, kPatience, task.stop);
  const auto request = line ? handover::request_of(*line) : std::nullopt;
  if (!request || !covers(root, request->root)) return;
  const auto now = deps_.loop.call(task.stop, [this] {
    return EditorState{workspace_(), deps_.policy.limits(), deps_.client.resource_operations,
                       loaded_};
  });
  if (!now) return;
  const std::string answer = !request->files ? line_of(look(request->root, *now, task))
                                             : line_of(accept(*request, *now, task));
  // An editor that is about to end has not said what became of it.
  if (!task.stop.stop_requested())
    (void)handover::write_line(connection, answer, kPatience, task.stop);
}

handover::Seen HandedEdits::look(const std::string& root, const EditorState& now,
                                 const Task& task) {
  handover::Seen seen{{}, now.moves_files};
  GuardedWorkspace guard(*now.workspace, task);
  const Roots roots = guard.roots(task);
  size_t bytes = 0;
  std::map<std::string, uint64_t> same;
  for (const std::string& path : guard.open_paths(task)) {
    const std::string named = absolute_of(roots, path);
    const std::string absolute = real_path(named).value_or(named);
    const auto inside = is_untitled(path) ? std::nullopt : path_below(absolute, root);
    if (!inside || guard.is_private(path)) continue;
    const auto text = guard.read(path, task);
    const auto disk = read_from_disk(absolute, "");
    // An editor that was started with the name of a file that is to be made has an empty buffer.
    if (text && !disk && disk.error().code == Error::Code::not_found && text->text.size() == 0)
      continue;
    const bool is_same = text && disk && *disk == text->text;
    const uint64_t hash = text ? fnv1a(text->text.str()) : 0;
    if (is_same) same[absolute] = hash;
    // Nothing was typed there, but another program wrote the file, which the editor will load.
    if (const auto then = now.loaded.find(absolute);
        text && !is_same && then != now.loaded.end() && then->second == hash)
      continue;
    handover::OpenFile file{*inside, std::nullopt, !text};
    if (text && !is_same) {
      bytes += text->text.size();
      file.lost = bytes > kMaxUnsaved;
      if (!file.lost) file.unsaved = text->text.str();
    }
    seen.open.push_back(std::move(file));
  }
  deps_.loop.post([this, same = std::move(same)] {
    for (const auto& [name, hash] : same) loaded_[name] = hash;
  });
  return seen;
}

// Decides: when an edit of `bodkin mcp` is taken.
Answer HandedEdits::accept(handover::Request request, const EditorState& now, const Task& task) {
  // The id may have been made up.
  if (!request.undoes && !is_on_its_way(request.change, request.root, *request.files))
    request.change.clear();
  GuardedWorkspace guard(*now.workspace, task);
  const Roots roots = guard.roots(task);
  const std::vector<std::string> open = now.workspace->open_paths(task);
  std::vector<ChangedFile> files;
  std::set<std::string> seen;
  for (const ChangedFile& file : *request.files) {
    if (!seen.insert(file.path).second || (file.rename_to && !seen.insert(*file.rename_to).second))
      return refused(file.path + " is named twice.");
    const auto name = name_in_workspace(request.root, file.path, roots, open);
    if (!name) return refused(name.error().message);
    ChangedFile& change = files.emplace_back(file);
    change.path = *name;
    if (!file.rename_to) continue;
    const auto to = name_in_workspace(request.root, *file.rename_to, roots, open);
    if (!to) return refused(to.error().message);
    change.rename_to = *to;
  }
  Draft draft(guard);
  if (const auto may = check_targets(files, draft, guard, task); !may)
    return refused(with_advice(may.error()));
  Conversation conversation;
  Gate gate(now.limits, conversation, nullptr);
  if (const auto may = gate.admit_edit(files, draft, task); !may)
    return refused(with_advice(may.error()));
  const auto answer = deps_.loop.wait_for<Answer>(
      task.stop,
      [this, request, files = std::move(files)](const auto& give) { apply(request, files, give); });
  return answer.value_or(
      Answer{Answer::State::unknown, "The editor is shutting down.", false, false});
}

// If a file is not open, nobody knows which text the editor would change: some editors load it into
// a buffer that they do not report, or have it in one.
bool HandedEdits::is_now(const ChangedFile& file) const {
  const Document* document = deps_.documents.find(deps_.documents.roots().file_at(file.path));
  return document && !document->lost && document->text == *file.before;
}

void HandedEdits::apply(const handover::Request& request, const std::vector<ChangedFile>& files,
                        const std::function<void(Answer)>& give) {
  if (listeners_.empty())
    return give(refused("The folder is no longer open and trusted in the editor."));
  Waiting waiting;
  waiting.drafts = files;
  const Roots& roots = deps_.documents.roots();
  for (const ChangedFile& file : files) {
    if (!is_now(file))
      return give(refused(plain_line(file.path) + " is not as it was when the edit was made."));
    const FileInFolder place = roots.file_at(file.path);
    if (file.rename_to) waiting.files.emplace_back(place, std::nullopt);
    waiting.files.emplace_back(roots.file_at(file.last_path()), file.after);
  }
  waiting.give = give;
  const std::string id =
      deps_.proposals.add(files, {.title = "An agent's edit (bodkin mcp)",
                                  .quiet = true,
                                  .logged_as = request.undoes ? "" : request.change,
                                  .logged_in = request.root,
                                  .is_kept = !request.undoes,
                                  .roots = roots});
  waiting_.emplace(id, std::move(waiting));
  if (const auto asked = deps_.applier.apply(id, nullptr); !asked) {
    waiting_.erase(id);
    give_up(id, true);
    return give(refused(asked.error().message));
  }
  deps_.loop.post_after(kLimit, [this, id] { conclude(id); });
}

void HandedEdits::updated(const Proposal& proposal) {
  const auto found = waiting_.find(proposal.id);
  if (found == waiting_.end()) return;
  Waiting& waiting = found->second;
  if (proposal.state == Proposal::State::applying) {
    waiting.sent = true;
    return;
  }
  // Before it was sent: its hunks move with what the user types.
  if (waiting.over || (!waiting.sent && proposal.message.empty())) return;
  waiting.over = true;
  waiting.words = plain_line(proposal.message);
  const bool may_come_late = waiting.sent && proposal.state == Proposal::State::refused;
  // Later: the code that changes it now must return first.
  deps_.loop.post_after(may_come_late ? kLateReport : 0ms,
                        [this, id = proposal.id] { conclude(id); });
}

// The user is not offered what the agent gives up. What may still come is followed, and believed
// where it is found later.
void HandedEdits::give_up(const std::string& id, bool is_certain) {
  Proposal* const proposal = deps_.proposals.find(id);
  if (!is_certain)
    for (ProposedFile& file : proposal->files)
      for (ProposedHunk& hunk : file.hunks)
        hunk.is_offered |= hunk.state != ProposedHunk::State::applied;
  (void)deps_.proposals.discard(id, nullptr);
  if (!is_certain || proposal->workspace.empty()) return;
  proposal->is_kept = false;
  if (given_up) given_up(id);
}

void HandedEdits::conclude(const std::string& id) {
  auto taken = waiting_.extract(id);
  if (!taken) return;
  const Waiting& waiting = taken.mapped();
  const Proposal* const proposal = deps_.proposals.find(id);
  Answer answer{Answer::State::unknown, "", true, true};
  if (!proposal) return waiting.give(answer);
  answer.words = waiting.over ? waiting.words : plain_line(proposal->message);
  const bool is_as_before =
      proposal->state == Proposal::State::refused &&
      std::ranges::all_of(waiting.drafts, [&](const ChangedFile& file) { return is_now(file); });
  if (!waiting.sent || is_as_before)
    answer.state = Answer::State::refused;
  else if (proposal->count(ProposedHunk::State::applied) == proposal->hunk_count())
    answer.state = Answer::State::applied;
  const bool is_undo = !proposal->is_kept;
  if (answer.state != Answer::State::applied) give_up(id, answer.state == Answer::State::refused);
  for (const auto& [file, text] : waiting.files) {
    const auto disk = read_from_disk(file.full(), file.folder);
    const Document* document = deps_.documents.find(file);
    const bool is_on_disk = text == (disk ? std::optional(*disk) : std::nullopt);
    const bool is_open = document && text;
    if (answer.state == Answer::State::applied && text && !is_open && !is_on_disk)
      answer = {Answer::State::unknown, "It was closed there before it was saved.", false, false};
    answer.is_saved = answer.is_saved && (is_open ? disk && *disk == document->text : is_on_disk);
    answer.is_exact = answer.is_exact && (is_open ? text == document->text : is_on_disk);
  }
  if (is_undo) deps_.proposals.drop(id);
  waiting.give(answer);
}

}  // namespace bodkin::lsp
