#include "agent/sandbox/sandbox_hidden.h"

#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <sstream>
#include <string_view>

#include "agent/support/path_text.h"
#include "agent/support/read_file.h"
#include "agent/workspace/privacy.h"

namespace bodkin {

namespace {

namespace fs = std::filesystem;

// Below the home folder, if the user made it readable or it is the workspace. The last part may be
// a glob.
constexpr const char* kHiddenInHome[] = {
    // keys and passwords
    ".ssh", ".gnupg", ".pki", ".password-store", ".local/share/pass", ".local/share/gopass",
    ".config/gopass", ".config/sops", ".config/age", ".age", ".keys", ".secrets", ".vault-token",
    ".netrc", "_netrc", ".authinfo", ".authinfo.gpg", ".pgpass", ".my.cnf", ".mylogin.cnf",
    ".pg_service.conf", ".s3cfg", ".boto", ".mongorc.js", ".dbshell", ".fetchmailrc", ".msmtprc",
    ".config/msmtp", ".mbsyncrc", ".offlineimaprc", ".Xauthority", ".ICEauthority", ".k5login",
    ".k5identity", ".krb5", ".smbcredentials", ".smb", ".rhosts", ".putty", ".config/putty",
    ".local/share/keyrings", ".gnome2/keyrings", ".kde/share/apps/kwallet",
    ".kde4/share/apps/kwallet", ".local/share/kwalletd", ".local/share/org.freedesktop.secrets",
    ".config/1Password", ".config/op", ".op", ".1password", ".config/Bitwarden",
    ".config/Bitwarden CLI", ".config/KeePass", ".config/keepassxc", ".cache/keepassxc",
    ".config/lastpass", ".local/share/lpass", ".lpass", "*.kdbx", "*.kdb", "*.ovpn", "*.pem",
    "*.p12", "*.pfx", ".electrum", ".bitcoin", ".ethereum", ".config/solana", ".monero",
    // clouds and clusters
    ".aws", ".azure", ".config/gcloud", ".config/google-cloud-sdk", ".kube", ".docker",
    ".config/containers", ".local/share/containers", ".config/doctl", ".config/hcloud",
    ".config/scw", ".config/linode-cli", ".linode-cli", ".oci", ".oraclecloud", ".aliyun",
    ".bluemix", ".config/heroku", ".local/share/heroku", ".fly", ".config/fly", ".vercel",
    ".config/vercel", ".local/share/com.vercel.cli", ".netlify", ".config/netlify", ".railway",
    ".wrangler", ".config/.wrangler", ".config/configstore", ".config/firebase", ".terraform.d",
    ".terraformrc", ".pulumi", ".ansible", ".vault", ".minikube", ".helm", ".config/helm",
    ".config/argocd", ".config/stripe", ".databrickscfg", ".snowflake", ".snowsql", ".kaggle",
    ".config/rclone", ".rclone.conf", ".config/s3cmd", ".mc", ".ngrok2", ".config/ngrok",
    ".cloudflared", ".config/tailscale", ".config/sentry", ".sentryclirc", ".dbt",
    // forges and package registries
    ".config/gh", ".config/hub", ".config/glab-cli", ".config/tea", ".git-credentials",
    ".git-credential-cache", ".config/git/credentials", ".cache/git/credential", ".gitcookies",
    ".npmrc", ".yarnrc", ".yarnrc.yml", ".config/npm", ".config/yarn", ".bunfig.toml", ".pypirc",
    ".config/pip", ".pip", ".config/pypoetry/auth.toml", ".config/uv",
    ".local/share/uv/credentials", ".condarc", "miniconda3/.condarc", "anaconda3/.condarc",
    "miniforge3/.condarc", "mambaforge/.condarc", ".config/anaconda", ".local/share/binstar",
    ".cargo/credentials", ".cargo/credentials.toml", ".gem/credentials",
    ".local/share/gem/credentials", ".bundle/config", ".composer/auth.json",
    ".config/composer/auth.json", ".m2/settings.xml", ".m2/settings-security.xml",
    ".gradle/gradle.properties", ".sbt/.credentials", ".ivy2/.credentials", ".nuget/NuGet",
    ".config/NuGet", ".hex", ".mix/hex.config", ".jfrog", ".hgrc", ".config/hg", ".subversion/auth",
    ".svn/auth", ".bazelrc",
    // models
    ".config/bodkin", ".local/share/bodkin", ".local/state/bodkin", ".cache/bodkin", ".openai",
    ".config/openai", ".anthropic", ".config/anthropic", ".claude", ".claude.json", ".codex",
    ".gemini", ".config/github-copilot", ".copilot", ".config/io.datasette.llm", ".aider*",
    ".config/aider", ".huggingface", ".cache/huggingface/token", ".cache/huggingface/stored_tokens",
    ".config/goose", ".local/share/goose", ".local/share/opencode", ".config/opencode", ".continue",
    ".cursor", ".config/Cursor", ".ollama/id_*",
    // editors' storage: it holds tokens, and sockets that run commands
    ".config/Code", ".config/Code - Insiders", ".config/VSCodium", ".vscode-server",
    ".vscode-remote", ".config/JetBrains", ".local/share/JetBrains", ".config/zed",
    ".local/share/zed", ".emacs.d/server", ".config/emacs/server", ".local/state/nvim",
    ".local/share/nvim/shada", ".viminfo", ".vim/undo", ".cache/vim",
    ".local/share/recently-used.xbel",
    // browsers and mail
    ".mozilla", ".librewolf", ".waterfox", ".config/google-chrome*", ".config/chromium",
    ".config/BraveSoftware", ".config/microsoft-edge*", ".config/vivaldi", ".config/opera",
    ".local/share/qutebrowser", ".config/falkon", ".w3m", ".lynx*", ".cache/mozilla",
    ".cache/google-chrome*", ".cache/chromium", ".cache/BraveSoftware", ".cache/microsoft-edge*",
    ".config/epiphany", ".local/share/epiphany", ".thunderbird", ".cache/thunderbird",
    ".config/evolution", ".local/share/evolution", ".cache/evolution", ".config/geary",
    ".local/share/geary", ".local/share/kmail*", ".local/share/akonadi", ".mutt", ".muttrc",
    ".config/mutt", ".config/neomutt", ".config/aerc", "Mail", "mail", "Maildir", ".maildir",
    ".mail", "mbox", ".mbox", ".notmuch-config",
    // talk
    ".config/Signal", ".config/Slack", ".config/discord", ".config/Element", ".config/teams*",
    ".config/Microsoft", ".local/share/TelegramDesktop", ".purple", ".config/hexchat", ".irssi",
    ".config/weechat", ".weechat", ".config/skypeforlinux", ".zoom", ".config/zoomus.conf",
    // what was typed
    ".*_history", ".*history", ".*_hist", ".histfile", ".lesshst", ".local/share/fish/fish_history",
    ".local/share/atuin", ".config/atuin", ".local/share/powershell/PSReadLine", ".python_history*",
    ".config/nushell/history*", ".zsh_sessions", ".bash_sessions", ".zhistory", ".rediscli_history",
    ".cache/zsh", ".local/state/bash", ".local/state/zsh", ".xsession-errors*",
    // sandboxed packages keep their data below these
    ".var/app", "snap", ".snap", ".wine", ".local/share/Trash", ".local/share/systemd",
    ".config/systemd/user", ".config/environment.d", ".dbus", ".cache/keyring-*", ".config/pulse"};

// At the top of the file system; anything else there is or contains user data (/home, /data, /mnt).
constexpr std::string_view kSystemFolders[] = {"bin",   "cvmfs", "dev",    "etc", "gnu", "lib",
                                               "lib32", "lib64", "libx32", "nix", "opt", "proc",
                                               "sbin",  "snap",  "sys",    "tmp", "usr"};

// Inside these. Most are readable only by root, but bodkin may run as root.
constexpr const char* kHiddenOnMachine[] = {"/etc/shadow",
                                            "/etc/shadow-",
                                            "/etc/gshadow",
                                            "/etc/gshadow-",
                                            "/etc/security/opasswd",
                                            "/etc/ssl/private",
                                            "/etc/pki/tls/private",
                                            "/etc/krb5.keytab",
                                            "/etc/NetworkManager/system-connections",
                                            "/etc/wireguard",
                                            "/etc/openvpn",
                                            "/etc/ipsec.secrets",
                                            "/etc/ppp",
                                            "/etc/wpa_supplicant",
                                            "/etc/letsencrypt",
                                            "/etc/rancher",
                                            "/etc/kubernetes",
                                            "/etc/docker",
                                            "/etc/sudoers",
                                            "/etc/sudoers.d",
                                            "/etc/ssh",
                                            "/etc/netplan",
                                            "/etc/apt/auth.conf",
                                            "/etc/apt/auth.conf.d",
                                            "/etc/git-credentials",
                                            "/etc/fstab",
                                            "/etc/credstore",
                                            "/etc/credstore.encrypted",
                                            "/etc/mysql/debian.cnf",
                                            "/sys/class/net",
                                            "/sys/devices/virtual/net",
                                            "/sys/firmware",
                                            "/sys/kernel/debug",
                                            "/sys/kernel/tracing",
                                            "/sys/kernel/security",
                                            "/sys/fs/bpf"};

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

void add_matches(std::set<std::string>& found, const fs::path& folder, const std::string& pattern) {
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with('.') == pattern.starts_with('.') && glob_matches(pattern, name)) {
      add_hidden(found, entry.path());
    }
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
  if (!home.empty() && home != "/") {
    for (const std::string path : kHiddenInHome) {
      if (path.find('*') == std::string::npos) {
        add_hidden(found, join_path(home, path));
      } else {
        const size_t slash = path.rfind('/');
        const std::string folder = slash == std::string::npos ? "" : "/" + path.substr(0, slash);
        add_matches(found, home + folder, path.substr(slash == std::string::npos ? 0 : slash + 1));
      }
    }
  }
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

bool has_address_with_login(const std::string& text) {
  for (size_t at = text.find("://"); at != std::string::npos; at = text.find("://", at + 3)) {
    const size_t end = text.find_first_of("/ \t\r\n\"", at + 3);
    if (text.substr(at + 3, end - at - 3).find('@') != std::string::npos) return true;
  }
  return false;
}

bool has_git_credentials(const std::string& config) {
  if (has_address_with_login(config)) return true;
  std::string lower = config;
  std::ranges::transform(lower, lower.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  for (const char* word : {"extraheader", "password", "token", "smtppass", "proxyauth"}) {
    if (lower.find(word) != std::string::npos) return true;
  }
  return false;
}

}  // namespace bodkin
