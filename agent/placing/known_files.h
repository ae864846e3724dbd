// The files as one placing sees them: each is read once, and they are listed once.
#pragma once

#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "edits/plan/report.h"

namespace bodkin {

// One thread. Made for one placing: what changes meanwhile is not seen.
class KnownFiles : public Files {
 public:
  // `files` outlives this. `listed`: other files with the same paths, which are not listed again;
  // outlives this. Once `stop` is requested, there are no files: a caller that places checks it.
  explicit KnownFiles(const Files& files, const KnownFiles* listed = nullptr,
                      std::stop_token stop = {})
      : files_(files), listed_(listed), stop_(std::move(stop)) {}

  std::optional<Text> read(std::string_view path) const override;
  std::vector<std::string> paths() const override;
  std::vector<std::string> paths_named(std::string_view name) const override;
  std::string why_unreadable(std::string_view path) const override {
    return stop_.stop_requested() ? "" : files_.why_unreadable(path);
  }
  Result<std::string> inside(const std::string& path) const override;

 private:
  using Listing = std::multimap<std::string, std::string, std::less<>>;  // by name_key()
  const Listing& listing() const;

  const Files& files_;
  const KnownFiles* const listed_;
  const std::stop_token stop_;
  mutable std::map<std::string, std::optional<Text>, std::less<>> texts_;
  mutable std::map<std::string, Result<std::string>> inside_;  // by the path as it is written
  mutable std::optional<Listing> listing_;
};

// A single text under a path, for edits that are tried before the draft takes their result.
class OneFile : public Files {
 public:
  OneFile(std::string path, Text text) : path_(std::move(path)), text_(std::move(text)) {}
  std::optional<Text> read(std::string_view path) const override {
    return path == path_ ? std::optional(text_) : std::nullopt;
  }
  std::vector<std::string> paths() const override { return {path_}; }

 private:
  std::string path_;
  Text text_;
};

}  // namespace bodkin
