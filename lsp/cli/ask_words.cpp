#include "lsp/cli/ask_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <optional>
#include <string_view>
#include <utility>

#include "agent/context/edit_format.h"
#include "agent/context/profile.h"
#include "agent/context/symbols.h"
#include "agent/models/image.h"
#include "agent/platform/files.h"
#include "agent/platform/paths.h"
#include "agent/platform/polling.h"
#include "agent/platform/terminal.h"
#include "agent/support/encoding.h"
#include "agent/support/read_file.h"
#include "agent/support/shown_text.h"
#include "agent/support/utf8.h"
#include "agent/workspace/secrets.h"
#include "edits/text/pieces.h"
#include "edits/text/text.h"
#include "lsp/cli/ask_screen.h"
#include "lsp/cli/print_refusal.h"
#include "lsp/cli/standard_input.h"
#include "lsp/workspace/disk.h"
#include "lsp/workspace/settings.h"

namespace bodkin {

namespace {

namespace fs = std::filesystem;

constexpr size_t kLargestFile = size_t{16} << 20;

struct Given {
  std::string file;
  std::optional<LineRange> lines;
  std::string problem = {};  // what is wrong with the lines, for the user
};

// FILE, FILE:12 or FILE:12-30; a file whose name has that form wins.
Given parse_file(const std::string& word) {
  std::error_code error;
  const size_t colon = word.rfind(':');
  if (colon == word.npos || colon == 0 || fs::exists(word, error)) return {word, {}};
  const std::string_view range = std::string_view(word).substr(colon + 1);
  const size_t dash = range.find('-');
  const auto first = whole_number(range.substr(0, dash));
  const auto last = dash == range.npos ? first : whole_number(range.substr(dash + 1));
  if (first && last && *last > 0 && *last < *first && fs::exists(word.substr(0, colon), error))
    return {word, {}, "The last line is before the first: " + word};
  if (!first || !last || *last < *first || *first == 0) return {word, {}};
  return {word.substr(0, colon), LineRange{*first - 1, *last}};
}

// All of it. The user's keys come from the terminal then, if there is one. Error: it is too long,
// or no text.
Result<std::string> standard_input() {
  if (os::is_terminal(0)) say_as("ask", "type or paste it, then end it with Ctrl-D");
  std::string text;
  char bytes[1 << 16];
  for (;;) {
    const ssize_t count = os::read(0, bytes, sizeof bytes);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    text.append(bytes, static_cast<size_t>(count));
    if (text.size() > kLargestFile)
      return fail(Error::Code::invalid_input, "Standard input has more than 16 MB");
  }
  if (os::is_terminal(0) && is_cut_by_terminal(text))
    return fail(Error::Code::invalid_input, kCutByTerminal);
  text = utf8_of_shell(std::move(text));
  if (text.find('\0') != text.npos)
    return fail(Error::Code::invalid_input, "Standard input is not text");
  if (!os::is_terminal(0) && os::is_terminal(1) && os::is_terminal(2)) read_keys_of_terminal();
  text = valid_utf8(text);
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back()))) text.pop_back();
  return text;
}

Result<std::string> prompt_of(const AskCommand& options) {
  if (!options.prompt.empty() && options.prompt != "-") return options.prompt;
  if (options.prompt.empty() && os::is_terminal(0)) {
    return fail(Error::Code::invalid_input,
                "Say what to change: bodkin ask \"…\" [FILE …]; see bodkin ask --help");
  }
  auto prompt = standard_input();
  if (!prompt) return prompt;
  if (prompt->empty())
    return fail(Error::Code::invalid_input, "The request is empty; see bodkin ask --help");
  return prompt;
}

// Whether something is piped or redirected to standard input: not a pipe that nobody writes to, nor
// the input of a loop of the shell.
bool has_input() {
  os::FileStatus status{};
  if (os::fstat(0, &status) != 0) return false;
  if (S_ISREG(status.st_mode)) return status.st_size > 0 && os::lseek(0, 0, SEEK_CUR) == 0;
  constexpr int kPatience =
      3000;  // ms for the first bytes: a program that starts us may hold a pipe
  os::PollEntry pipe{0, POLLIN, 0};
  return S_ISFIFO(status.st_mode) && !is_read_by_a_shell(status) &&
         os::poll(&pipe, 1, kPatience) > 0;
}

// Empty: nothing is piped.
Result<std::string> piped_context() {
  if (!has_input()) return std::string();
  auto text = standard_input();
  if (!text || text->empty()) return text;
  return shown_with_request("Standard input", *std::move(text));
}

// The errors of these are for the user: invalid_input.
Result<void> add_image(AskRequest& request, const std::string& image,
                       const ConfinedFolder& folder) {
  std::error_code error;
  const fs::path file = os::canonical(image, error);
  if (error || !is_image_file(os::text_of(file)))
    return fail(Error::Code::invalid_input,
                fmt::format("{} {}", image,
                            error ? "does not exist" : "is not a PNG, JPEG, GIF or WebP image"));
  const fs::path path = file.lexically_relative(folder.path());
  const bool is_inside = !path.empty() && *path.begin() != "..";
  request.attachments.push_back(
      {is_inside ? os::text_of(path) : os::text_of(file.filename()), os::text_of(file)});
  return {};
}

// Selects the lines of the file at `path`, on the disk `file`.
Result<void> select_lines(AskRequest& request, const Given& given, const std::string& path,
                          const fs::path& file) {
  if (request.selection)
    return fail(Error::Code::invalid_input, "Only one file can be given with lines");
  auto bytes = read_file(os::text_of(file), kLargestFile);
  if (!bytes) return std::unexpected(bytes.error());
  // The end of the last line begins no other.
  const bool ends_line = bytes->ends_with('\n');
  const size_t count = Text(*std::move(bytes)).line_count() - (ends_line ? 1 : 0);
  if (given.lines->begin >= count)
    return fail(Error::Code::invalid_input,
                fmt::format("The file {} has only {}", given.file, counted(count, "line")));
  request.selection = Selection{path, {given.lines->begin, std::min(given.lines->end, count)}};
  return {};
}

// `is_unquoted`: the request may have more words, in the place of files.
Result<void> add_file(AskRequest& request, const std::string& word, const ConfinedFolder& folder,
                      bool is_unquoted) {
  const Given given = parse_file(word);
  if (!given.problem.empty()) return fail(Error::Code::invalid_input, given.problem);
  std::error_code error;
  const fs::path file = os::canonical(given.file, error);
  if (error || !fs::is_regular_file(file, error)) {
    if (!error && fs::is_directory(file, error))
      return fail(Error::Code::invalid_input,
                  fmt::format("Not a file but a folder: {0}; name it in the request as @{0}{1}",
                              given.file, given.file.ends_with('/') ? "" : "/"));
    return fail(Error::Code::invalid_input,
                fmt::format("There is no file {}{}", given.file,
                            is_unquoted ? "; the request must be in quotes" : ""));
  }
  const std::string path = os::text_of(file.lexically_relative(folder.path()));
  if (path.empty() || path == ".." || path.starts_with("../"))
    return fail(Error::Code::invalid_input,
                fmt::format("The file {} is not in {}", given.file, folder.path()));
  if (given.lines) return select_lines(request, given, path, file);
  if (const auto text = lsp::read_from_disk(os::text_of(file), folder.path()); !text)
    return fail(Error::Code::invalid_input,
                fmt::format("The file {} cannot be shown to the model: {}", given.file,
                            text.error().message));
  request.attachments.push_back({path, os::text_of(file)});
  return {};
}

}  // namespace

std::string shown_with_request(const std::string& what, std::string text) {
  constexpr size_t kBegin = 16'000, kEnd = 48'000;  // bytes
  if (text.size() > kBegin + kEnd) {
    const size_t line = text.rfind('\n', kBegin);
    const size_t left = line == text.npos ? kBegin : line;
    const size_t next = text.find('\n', text.size() - kEnd);
    const size_t right = next == text.npos ? text.size() - kEnd : next;
    say_as("ask", fmt::format("{} is long: {} bytes in its middle are left out", what,
                              grouped(static_cast<int64_t>(right - left))));
    text = valid_utf8(text.substr(0, left)) + "\n[…]" + valid_utf8(text.substr(right));
  }
  const WithoutSecrets without = bodkin::without_secrets(text);
  if (without.count > 0) {
    std::string where = what;
    where[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(where[0])));
    say_as("ask", fmt::format("{} in {} {} not sent", counted(without.count, "secret"), where,
                              without.count == 1 ? "is" : "are"));
  }
  return "\n\n" + what + ":\n\n" + fenced(without.text);
}

std::string root_of(const AskCommand& options) {
  if (!options.root.empty()) return options.root;
  std::error_code error;
  const fs::path here = fs::current_path(error);
  for (fs::path folder = here; !error; folder = folder.parent_path()) {
    if (fs::exists(folder / ".git", error)) return os::text_of(folder);
    if (folder == folder.root_path()) break;
  }
  return ".";
}

Result<void> check_names(const AskCommand& options) {
  const auto unknown = [](const char* option, const std::string& given, std::string names) {
    return fail(Error::Code::invalid_input,
                fmt::format("{} must be one of {}; there is no \"{}\"", option, names, given));
  };
  if (!options.format.empty() && options.format != "auto" && !find_edit_format(options.format)) {
    std::string names = "auto";
    for (const EditFormat& format : edit_formats()) names += fmt::format(", {}", format.name);
    return unknown("--format", options.format, std::move(names));
  }
  const auto profiles = profile_names(lsp::own_profiles_folder());
  const bool is_known =
      options.profile.empty() || options.profile == "auto" ||
      std::ranges::find(profiles, options.profile, &ProfileName::name) != profiles.end();
  if (is_known) return {};
  std::string names = "auto";
  for (const ProfileName& profile : profiles) names += ", " + profile.name;
  return unknown("--profile", options.profile, std::move(names));
}

Result<AskRequest> request_of(const AskCommand& options, const ConfinedFolder& folder) {
  auto prompt = prompt_of(options);
  if (!prompt) return std::unexpected(prompt.error());
  AskRequest request;
  request.prompt = *std::move(prompt);
  std::error_code ignored;
  const bool is_read = options.prompt.empty() || options.prompt == "-";
  if (fs::is_regular_file(options.prompt, ignored))  // the order of other programs
    return fail(Error::Code::invalid_input,
                fmt::format("{} is a file; the request comes before the files", options.prompt));
  for (const std::string& image : options.images)
    if (const auto added = add_image(request, image, folder); !added)
      return std::unexpected(added.error());
  // If the words have no quotes, the first alone is the request.
  const bool is_unquoted = options.files.size() > 1 && !options.prompt.contains(' ') &&
                           !fs::exists(parse_file(options.files[0]).file, ignored);
  for (const std::string& word : options.files)
    if (const auto added = add_file(request, word, folder, is_unquoted); !added)
      return std::unexpected(added.error());
  if (!is_read) {
    auto context = piped_context();
    if (!context) return std::unexpected(context.error());
    request.prompt += *context;
  }
  request.prompt += options.output;
  return request;
}

}  // namespace bodkin
