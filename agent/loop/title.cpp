#include "agent/loop/title.h"

#include "agent/loop/conversation_messages.h"
#include "agent/support/shown_text.h"
#include "agent/workspace/redaction.h"
#include "agent/workspace/secrets.h"
#include "edits/text/shortened.h"

namespace bodkin {

namespace {

constexpr size_t kMaxPrompt = 4'000;  // bytes that the title is made from
constexpr size_t kMaxTitle = 80;      // bytes
constexpr char kTitleInstructions[] =
    "Give the user's request to a programming assistant a title of at most eight words, in the "
    "language of the request. Do not answer the request. Write the title alone, without quotes.";

}  // namespace

Result<std::string> make_title(Model& model, const std::string& prompt, Spent& spent,
                               const Task& task) {
  ModelRequest request;
  request.system = kTitleInstructions;
  request.messages.push_back(
      {Message::Role::user, {TextBlock{shortened_to(hide_secrets(prompt), kMaxPrompt)}}});
  request.stream = false;
  redact(request);
  const auto reply = model.respond(request, {task.stop, nullptr});
  if (!reply) return fail(Error::Code::unavailable, reply.error().message);
  add(spent, reply->usage, model.facts());
  std::string title = text_of(reply->message);
  title.erase(0, title.find_first_not_of(" \t\r\n\"'*#"));
  title = shortened_to(title.substr(0, title.find('\n')), kMaxTitle);
  while (!title.empty() && std::string_view(" \t\r\"'*.").contains(title.back())) title.pop_back();
  if (title.empty()) return fail(Error::Code::unavailable, "The model gave no title.");
  return plain_line(title);
}

}  // namespace bodkin
