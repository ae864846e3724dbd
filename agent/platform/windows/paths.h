#pragma once

#include <filesystem>
#include <string>
#include <system_error>

namespace bodkin::os {

std::string text_of(const std::filesystem::path& path);

// libstdc++ knows no links on Windows: it would follow them.
std::filesystem::path canonical(const std::filesystem::path& path, std::error_code& error);
bool equivalent(const std::filesystem::path& one, const std::filesystem::path& other,
                std::error_code& error);
bool is_symlink(const std::filesystem::path& path, std::error_code& error);
std::filesystem::path read_symlink(const std::filesystem::path& path, std::error_code& error);
uintmax_t remove_all(const std::filesystem::path& path, std::error_code& error);
std::filesystem::file_status symlink_status(const std::filesystem::path& path,
                                            std::error_code& error);
std::filesystem::path weakly_canonical(const std::filesystem::path& path, std::error_code& error);

}  // namespace bodkin::os
