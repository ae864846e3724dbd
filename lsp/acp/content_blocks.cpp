#include "lsp/acp/content_blocks.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string_view>
#include <utility>

#include "agent/models/image.h"
#include "agent/platform/paths.h"
#include "agent/rpc/uri.h"
#include "agent/support/base64.h"
#include "agent/support/path_text.h"
#include "agent/support/real_path.h"
#include "agent/workspace/privacy.h"
#include "lsp/acp/acp_protocol.h"
#include "lsp/acp/client_files.h"

namespace bodkin::acp {

namespace {

constexpr std::string_view kSharing = "Sharing the following file as context: ";
constexpr size_t kMaxEmbedded = 200'000;  // bytes of a text that is no file of the workspace

// "L10:20", "L10-20", "L10-L20" or "L7": lines from 1, both included.
std::optional<LineRange> lines_in(std::string_view fragment) {
  size_t numbers[2] = {0, 0};
  int count = 0;
  for (size_t i = 0; i < fragment.size() && count < 2;) {
    if (fragment[i] < '0' || fragment[i] > '9') {
      ++i;
      continue;
    }
    const char* const end = fragment.data() + fragment.size();
    const auto [after, error] = std::from_chars(fragment.data() + i, end, numbers[count]);
    if (error != std::errc()) return {};
    i = static_cast<size_t>(after - fragment.data());
    ++count;
  }
  if (!fragment.starts_with('L') || count == 0 || numbers[0] == 0) return {};
  if (count == 1) numbers[1] = numbers[0];
  if (numbers[1] < numbers[0]) return {};
  return LineRange{numbers[0] - 1, numbers[1]};
}

// The path that a URI names, or a path alone; nullopt: it names none on this machine.
std::optional<std::string> path_named_by(const std::string& uri) {
  if (auto path = rpc::path_of_uri(uri)) return path;
  if (uri.substr(0, uri.find('/')).contains(':')) return std::nullopt;  // of another scheme
  std::error_code error;
  if (std::filesystem::exists(uri, error)) return uri;
  return uri.substr(0, uri.find_first_of("?#"));
}

std::string relative(std::string path) {
  path.erase(0, std::min(path.find_first_not_of('/'), path.size()));
  return path;
}

// The file's name and folders in a URI of any scheme: "x/y.txt".
std::string name_in(const std::string& uri) {
  const size_t scheme = uri.find(':');
  const bool has_scheme = scheme < uri.find('/');
  std::string path = has_scheme ? uri.substr(scheme + 1) : uri;
  path = rpc::percent_decoded(path.substr(0, path.find_first_of("?#")));
  return relative(std::move(path));
}

class PromptReader {
 public:
  PromptReader(Workspace& workspace, const Roots& given)
      : roots_(workspace.roots({})), given_(given), workspace_(workspace, {}) {}

  Result<void> add(const Json& block) {
    const std::string type = text_member(block, "type");
    if (type == "text" && member(block, "text").is_string()) {
      if (made_.typed.empty()) made_.typed = text_member(block, "text");
      add_text(text_member(block, "text"));
    } else if (type == "resource_link" && member(block, "uri").is_string()) {
      const std::string uri = text_member(block, "uri");
      if (!add_link(uri)) {
        add_words(uri);
        if (const auto path = path_named_by(uri); path && os::is_absolute(*path))
          made_.notes.push_back(*path + " is outside the folder, so it was not read.");
      }
    } else if (type == "resource" && member(block, "resource").is_object()) {
      return add_resource(member(block, "resource"));
    } else if (type == "image" && member(block, "data").is_string()) {
      return add_image(text_member(block, "data"));
    } else if (type == "text" || type == "resource_link" || type == "resource" || type.empty()) {
      return fail(Error::Code::invalid_input, "A prompt block is missing a field.");
    } else {
      made_.notes.push_back("Unsupported prompt content was ignored: " + type.substr(0, 40) + ".");
    }
    return {};
  }

  Prompt made() {
    made_.request.prompt = std::move(words_);
    return std::move(made_);
  }

 private:
  void add_text(std::string text) {
    for (size_t at = 0; (at = text.find(kSharing, at)) != text.npos;) {
      const size_t end = std::min(text.find('\n', at), text.size());
      const std::string named = text.substr(at + kSharing.size(), end - at - kSharing.size());
      const auto place = place_at(named);
      if (!place) {
        at = end;
        continue;
      }
      attach(*place);
      text.replace(at, end - at, place->path);
      at += place->path.size();
    }
    add_words(text);
  }

  // Blocks are words of one request: puts a blank between them if there is none.
  void add_words(std::string_view words) {
    if (words.empty()) return;
    const auto is_in = [](char c, std::string_view set) { return set.find(c) != set.npos; };
    if (!words_.empty() && !is_in(words_.back(), " \t\r\n([{\"'`") &&
        !is_in(words.front(), " \t\r\n.,;:!?)]}\"'`"))
      words_ += ' ';
    words_ += words;
  }

  void attach(const Roots::Place& place) {
    std::error_code error;
    if (!std::filesystem::exists(place.absolute, error))
      made_.notes.push_back(place.path + " is not on the disk yet; save it to have it shown.");
    auto& files = made_.request.attachments;
    if (std::ranges::find(files, place.path, &AskRequest::File::path) == files.end())
      files.push_back({place.path, place.absolute});
  }

  // The file of a path in the workspace, however the editor spells the way to it.
  std::optional<Roots::Place> place_at(const std::string& path) const {
    if (path.empty()) return std::nullopt;
    if (auto place = roots_.find(path)) return place;
    if (const auto place = given_.find_absolute(path)) return roots_.find(place->path);
    const auto real = real_path(path);
    return real ? roots_.find_absolute(*real) : std::nullopt;
  }

  std::optional<Roots::Place> place_of(const std::string& uri) const {
    const auto path = path_named_by(uri);
    return path ? place_at(*path) : std::nullopt;
  }

  // Whether the URI's file is private; outside of the workspace its name decides.
  bool is_private(const std::string& uri) const {
    if (const auto place = place_of(uri)) return workspace_.is_private(place->path);
    const std::string name = name_in(uri);
    return is_secret(name) || is_secret(relative(real_path("/" + name).value_or("")));
  }

  // Whether the text that came with it is what the model is shown of that file anyway. What else
  // the editor has is shown as it was given.
  bool is_on_disk(const Roots::Place& place, const std::string& uri, const std::string& text) {
    const auto file = workspace_.read(place.path, {});
    if (!file) return false;
    const std::string disk = file->text.str();
    const bool is_part = uri.find_first_of("?#") != uri.npos && !text.empty();
    return is_same_file(disk, text) ||
           (is_part && with_newlines(disk).contains(with_newlines(text)));
  }

  // False: it is not in the workspace.
  bool add_link(const std::string& uri) {
    if (uri.starts_with("zed:///agent/diagnostics")) return add_words("@diagnostics"), true;
    if (uri.starts_with("zed:///agent/git-diff")) return add_words("@diff"), true;
    const auto place = place_of(uri);
    if (!place) return false;
    std::error_code error;
    if (std::filesystem::is_directory(place->absolute, error)) {
      const std::string name = place->path + (place->path.ends_with('/') ? "" : "/");
      return add_words(place->inside.empty() ? "the whole workspace" : "@\"" + name + "\""), true;
    }
    const size_t hash = uri.find('#');
    const auto lines =
        hash == uri.npos ? std::nullopt : lines_in(std::string_view(uri).substr(hash + 1));
    const size_t symbol = uri.find("?symbol=");
    add_words(place->path);
    if (symbol != uri.npos) {
      std::string name = uri.substr(symbol + 8, uri.find_first_of("#&", symbol + 8) - symbol - 8);
      std::ranges::replace(name, '+', ' ');
      name = rpc::percent_decoded(name);
      words_ += " (`" + name + "`)";
    } else if (lines) {
      words_ += fmt::format(" (lines {}-{})", lines->begin + 1, lines->end);
    }
    if (lines && !made_.request.selection) {
      made_.request.selection = Selection{place->path, *lines};
    } else if (!place->inside.empty()) {
      attach(*place);
    }
    return true;
  }

  Result<void> add_resource(const Json& resource) {
    const std::string uri = text_member(resource, "uri"), text = text_member(resource, "text");
    const auto leave_out = [&](std::string_view why) {
      made_.notes.push_back(fmt::format("{} was left out: {}.",
                                        uri.empty() ? "An attachment" : uri.substr(0, 200), why));
    };
    const auto place = place_of(uri);
    if (is_private(uri)) {
      if (!place || !add_link(uri)) leave_out("its name says that it is private");
      return {};
    }
    const bool is_image = text_member(resource, "mimeType").starts_with("image/");
    if (is_image && member(resource, "blob").is_string())
      return add_image(text_member(resource, "blob"));
    if (place && (text.empty() || is_on_disk(*place, uri, text)) && add_link(uri)) return {};
    if (place) made_.unsaved[place->path] = text;
    if (text.empty()) {
      if (!add_link(uri)) leave_out("it is not text");
    } else if (text.size() <= kMaxEmbedded) {
      std::string fence = "````";
      while (text.contains(fence)) fence += '`';
      const std::string name =
          place ? place->path + uri.substr(std::min(uri.find_first_of("?#"), uri.size())) +
                      " (as it is in the editor, not saved)"
                : uri;
      words_ += fmt::format("\n\n{}:\n{}\n{}\n{}\n\n", name, fence, text, fence);
    } else if (place && add_link(uri)) {
      leave_out("it is too long; the file on the disk, which differs, is attached instead");
    } else {
      add_words(uri);
      leave_out("it is too long");
    }
    return {};
  }

  Result<void> add_image(const std::string& base64) {
    const auto bytes = bytes_of_base64(base64);
    if (!bytes) return fail(Error::Code::invalid_input, "The image is not base64.");
    if (image_type(*bytes).empty() || bytes->size() > kMaxImage) {
      made_.notes.push_back(
          "An image was left out: it must be PNG, JPEG, GIF or WebP of at most 3.7 MB.");
      return {};
    }
    if (!made_.images) {
      auto folder = TemporaryFolder::make(TemporaryFolder::Where::memory);
      if (!folder) return std::unexpected(folder.error());
      made_.images = std::make_shared<TemporaryFolder>(*std::move(folder));
    }
    const std::string name = fmt::format("image-{}", ++images_);
    const std::string file = join_path(made_.images->path(), name);
    std::ofstream(file, std::ios::binary) << *bytes;
    made_.request.attachments.push_back({name, file});
    return {};
  }

  const Roots roots_;
  const Roots& given_;
  GuardedWorkspace workspace_;
  Prompt made_;
  std::string words_;
  int images_ = 0;
};

}  // namespace

Result<Prompt> read_prompt(const Json& blocks, Workspace& workspace, const Roots& given) {
  if (!blocks.is_array())
    return fail(Error::Code::invalid_input, "prompt must be an array of content blocks.");
  PromptReader reader(workspace, given);
  for (const Json& block : blocks)
    if (const auto added = reader.add(block); !added) return std::unexpected(added.error());
  return reader.made();
}

}  // namespace bodkin::acp
