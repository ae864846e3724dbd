#include "agent/sandbox/linux/sandbox_hidden.h"

#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <sstream>
#include <string_view>

#include "agent/support/path_text.h"
#include "agent/support/program.h"
#include "agent/support/read_file.h"
#include "agent/workspace/privacy.h"
#include "edits/text/line_keys.h"

namespace bodkin {

namespace {

namespace fs = std::filesystem;

// At the top of the home folder, if the user made it readable or it is the workspace: besides the
// hidden folders, what programs keep there about the user that no list of secrets names.
constexpr const char* kHiddenInHome[] = {
    "Mail", "mail",    "Maildir",    "mbox",     ".mbox",
    "snap", ".aider*", ".*history*", ".*_hist*", ".xsession-errors*"};

// At the top of the file system; anything else there is or contains user data (/home, /data, /mnt).
constexpr std::string_view kSystemFolders[] = {"bin",   "cvmfs", "dev",    "etc", "gnu", "lib",
                                               "lib32", "lib64", "libx32", "nix", "opt", "proc",
                                               "sbin",  "snap",  "sys",    "tmp", "usr"};

// Inside these. Most are readable only by root, but bodkin may run as root.
constexpr const char* kHiddenOnMachine[] = {
    // keys and passwords
    "/etc/shadow", "/etc/shadow-", "/etc/gshadow", "/etc/gshadow-", "/etc/security/opasswd",
    "/etc/ssl/private", "/etc/pki/tls/private", "/etc/krb5.keytab",
    "/etc/NetworkManager/system-connections", "/etc/wireguard", "/etc/openvpn",
    "/etc/ipsec.secrets", "/etc/ppp", "/etc/wpa_supplicant", "/etc/letsencrypt", "/etc/rancher",
    "/etc/kubernetes", "/etc/docker", "/etc/sudoers", "/etc/sudoers.d", "/etc/ssh", "/etc/netplan",
    "/etc/apt/auth.conf", "/etc/apt/auth.conf.d", "/etc/git-credentials", "/etc/fstab",
    "/etc/credstore", "/etc/credstore.encrypted", "/etc/mysql/debian.cnf",
    // the machine and its kernel
    "/sys/class/net", "/sys/devices/virtual/net", "/sys/firmware", "/sys/kernel/debug",
    "/sys/kernel/tracing", "/sys/kernel/security", "/sys/fs/bpf"};

void add_hidden(std::set<std::string>& found, const fs::path& path) {
  std::error_code error;
  const fs::path real = fs::canonical(path, error);  // a link to a secret is not the secret
  if (!error && real != "/") found.insert(real.string());
}

// A path from the environment may be anything, such as /dev/null for a history, or the whole home.
void add_named(std::set<std::string>& found, const std::string& home, const std::string& path) {
  std::error_code error;
  const std::string real = fs::canonical(path, error).string();
  if (error || real.starts_with("/dev") || real.starts_with("/proc")) return;
  if (home == real || is_below(home, real)) return;
  found.insert(real);
}

// Adds the hidden folders: each program keeps its own there, keys, logins, mail and what was typed
// among it. sandbox_shown.cpp shows what tools need of them.
void add_home(std::set<std::string>& found, const std::string& home) {
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(home, error)) {
    const std::string name = entry.path().filename().string();
    const bool is_hidden = name.starts_with('.') && name != ".git" && entry.is_directory(error);
    if (is_hidden || std::ranges::any_of(kHiddenInHome, [&](const char* pattern) {
          return glob_matches(pattern, name);
        }))
      add_hidden(found, entry.path());
  }
}

void add_top(std::set<std::string>& found) {
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator("/", error)) {
    const std::string name = entry.path().filename().string();
    if (entry.is_symlink(error) ||
        std::ranges::find(kSystemFolders, name) != std::end(kSystemFolders))
      continue;
    found.insert("/" + name);
  }
}

void add_homes_of_others(std::set<std::string>& found, const std::string& home) {
  std::istringstream users(read_start_of_file("/etc/passwd", 16 << 20).value_or(""));
  for (std::string line; std::getline(users, line);) {
    std::vector<std::string> fields;
    std::istringstream in(line);
    for (std::string field; std::getline(in, field, ':');) fields.push_back(field);
    if (fields.size() < 6 || fields[5].empty() || fields[5] == "/") continue;
    const unsigned long user = std::strtoul(fields[2].c_str(), nullptr, 10);
    if (user != 0 && (user < 1000 || user == 65534)) continue;
    std::error_code error;
    if (fs::canonical(fields[5], error) != home && !error) add_hidden(found, fields[5]);
  }
}

}  // namespace

// Decides: what the sandbox never shows.
std::vector<std::string> hidden_places(const std::string& home) {
  std::set<std::string> found;
  add_top(found);
  for (const char* path : kHiddenOnMachine) add_hidden(found, path);
  add_homes_of_others(found, home);
  found.erase(home);
  if (!home.empty() && home != "/") add_home(found, home);
  for (const char* config : {"/.gitconfig", "/.config/git/config"}) {
    if (has_git_credentials(read_start_of_file(home + config, 1 << 20).value_or("")))
      add_hidden(found, home + config);
  }
  // Locations of data that the user configured for other programs.
  for (const char* name :
       {"GNUPGHOME", "AWS_SHARED_CREDENTIALS_FILE", "AWS_CONFIG_FILE", "KUBECONFIG",
        "DOCKER_CONFIG", "CLOUDSDK_CONFIG", "GOOGLE_APPLICATION_CREDENTIALS", "GH_CONFIG_DIR",
        "PASSWORD_STORE_DIR", "NETRC", "NPM_CONFIG_USERCONFIG", "PIP_CONFIG_FILE", "HISTFILE",
        "XAUTHORITY", "XDG_RUNTIME_DIR", "AZURE_CONFIG_DIR", "VAULT_TOKEN_PATH", "SSH_AUTH_SOCK",
        "ICEAUTHORITY"}) {
    const char* value = std::getenv(name);
    if (value && *value == '/') add_named(found, home, value);
  }
  for (const char* name : {"CARGO_HOME", "GEM_HOME", "GRADLE_USER_HOME"}) {
    const char* value = std::getenv(name);
    if (!value || *value != '/') continue;
    for (const char* file : {"credentials", "credentials.toml", "gradle.properties"}) {
      add_hidden(found, join_path(value, file));
    }
  }
  return {found.begin(), found.end()};
}

// Decides: what is in the sandbox's environment.
std::vector<std::string> environment_of(const std::vector<std::string>& named,
                                        const std::string& home) {
  std::vector<std::string> result;
  for (char** entry = environ; *entry; ++entry) {
    const std::string variable(*entry);
    const std::string name = variable.substr(0, variable.find('='));
    const bool passes =
        name.starts_with("LC_") ||
        std::ranges::any_of(std::initializer_list<const char*>{"PATH", "LANG", "LANGUAGE", "TERM",
                                                               "USER", "LOGNAME", "SHELL", "TZ"},
                            [&](const char* one) { return name == one; }) ||
        std::ranges::find(named, name) != named.end();
    if (!passes || name == "HOME" || name == "TMPDIR") continue;
    const std::string kept = name == "PATH" ? with_absolute_folders(variable) : variable;
    if (!kept.empty()) result.push_back(kept);
  }
  if (!home.empty()) result.push_back("HOME=" + home);
  return result;
}

bool has_address_with_login(const std::string& text) {
  for (size_t at = text.find("://"); at != std::string::npos; at = text.find("://", at + 3)) {
    const size_t end = text.find_first_of("/ \t\r\n\"", at + 3);
    if (text.substr(at + 3, end - at - 3).find('@') != std::string::npos) return true;
  }
  return false;
}

bool has_git_credentials(const std::string& config) {
  if (has_address_with_login(config)) return true;
  const std::string lower = lower_case(config);
  for (const char* word : {"extraheader", "password", "token", "smtppass", "proxyauth"}) {
    if (lower.find(word) != std::string::npos) return true;
  }
  return false;
}

}  // namespace bodkin
