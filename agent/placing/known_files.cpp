#include "agent/placing/known_files.h"

#include <ranges>

#include "edits/plan/paths.h"

namespace bodkin {

std::optional<Text> KnownFiles::read(std::string_view path) const {
  if (stop_.stop_requested()) return std::nullopt;
  auto known = texts_.find(path);
  if (known == texts_.end()) known = texts_.emplace(path, files_.read(path)).first;
  return known->second;
}

Result<std::string> KnownFiles::inside(const std::string& path) const {
  if (stop_.stop_requested()) return path;
  auto known = inside_.find(path);
  if (known == inside_.end()) known = inside_.emplace(path, files_.inside(path)).first;
  return known->second;
}

const KnownFiles::Listing& KnownFiles::listing() const {
  if (listed_) return listed_->listing();
  static const Listing kNone;
  if (stop_.stop_requested()) return kNone;
  if (!listing_) {
    listing_.emplace();
    for (std::string& path : files_.paths()) {
      std::string key = name_key(path);
      listing_->emplace(std::move(key), std::move(path));
    }
  }
  return *listing_;
}

std::vector<std::string> KnownFiles::paths() const {
  const auto all = std::views::values(listing());
  return {all.begin(), all.end()};
}

std::vector<std::string> KnownFiles::paths_named(std::string_view name) const {
  const auto [begin, end] = listing().equal_range(name_key(name));
  std::vector<std::string> named;
  for (auto at = begin; at != end; ++at) named.push_back(at->second);
  return named;
}

}  // namespace bodkin
