// The files that hold secrets by convention. The ideas come from the lists of gitleaks, trufflehog,
// git-secrets and GitHub's secret scanning. A name is listed if such a file is almost always a
// secret: users cannot remove a name from the list. Files that may be code or plain configuration
// (gradle.properties, database.yml, *.asc) stay readable; agent/workspace/secrets.h looks at their
// contents.
#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_set>

#include "agent/workspace/privacy.h"
#include "edits/text/line_keys.h"

namespace bodkin {

namespace {

// All in lower case.
// Folders of version control, keys and logins: everything in them, and a file of that name (the
// .git of a worktree or a submodule).
const std::unordered_set<std::string_view> kFolders = {
    ".git",           ".hg",          ".svn",     ".bzr",     ".ssh",
    ".gnupg",         ".aws",         ".azure",   ".gcloud",  ".password-store",
    ".age",           ".terraform.d", ".mozilla", "keyrings", ".subversion",
    ".agilekeychain", ".1password",   ".envs"};

// The end of a path, its parts as patterns.
// clang-format off
constexpr std::string_view kTails[] = {
    // ours, of all workspaces
    "bodkin/history.db", "bodkin/history.db-wal", "bodkin/history.db-shm",
    // credentials of programs whose file names alone say nothing
    ".docker/config.json", ".kube/config*", ".m2/settings.xml", ".gradle/gradle.properties",
    ".config/hub", "gh/hosts.yml", "gh/hosts.yaml", "glab-cli/config.yml", ".fly/config.yml",
    ".config/gcloud/**", ".config/configstore/**", ".config/op/**", ".config/filezilla/**",
    ".config/google-chrome/**", ".config/chromium/**", ".gem/credentials*", "sops/age/**",
    "age/keys.txt", "wireguard/*.conf", ".cargo/credentials*", "powershell/psreadline/*",
    ".config/doctl/config.yaml", ".config/heroku/**", ".circleci/cli.yml", ".kaggle/kaggle.json",
    ".oci/config", ".mc/config.json", ".huggingface/token", "huggingface/token", ".talos/config",
    "playwright/.auth/**", ".git.*/config", ".secrets/**", ".credentials/**"};
// clang-format on

// Key stores and private keys, by extension; including samples, which need not be read.
constexpr std::string_view kKeyEndings[] = {
    ".pem",    ".key", ".p8",     ".p12",         ".pfx",      ".pkcs12", ".pk8",  ".jks",
    ".jceks",  ".bks", ".ppk",    ".keystore",    ".keychain", ".kdb",    ".kdbx", ".psafe3",
    ".keytab", ".snk", ".agekey", ".keychain-db", ".gpg",      ".age",    ".pkcs8"};
constexpr std::string_view kKeyPatterns[] = {"id_rsa*",     "id_dsa*",  "id_ecdsa*",
                                             "id_ed25519*", "id_xmss*", "ssh_host_*key"};

// Data that holds credentials and tokens, by extension.
constexpr std::string_view kEndings[] = {
    ".tfstate", ".tfvars", ".ovpn",           ".rdp",         ".htpasswd", ".netrc",
    ".pgpass",  ".my.cnf", ".kubeconfig",     ".tfvars.json", ".secrets",  ".credentials",
    ".token",   ".env",    "_accesskeys.csv", ".vault-token"};

const std::unordered_set<std::string_view> kNames = {
    // package managers
    ".npmrc", ".yarnrc", ".yarnrc.yml", ".pnpmrc", "auth.json", ".pypirc", "pip.conf", "pip.ini",
    ".gemrc", "nuget.config", "settings-security.xml", ".condarc", ".hex.config",
    // version control, clouds and deployment
    ".git-credentials", ".gitconfig", ".netrc", "_netrc", ".hgrc", "credentials", ".credentials",
    ".dockercfg", ".dockerconfigjson", "kubeconfig", ".terraformrc", "terraform.rc",
    "credentials.tfrc.json", ".vault-token", "vault-token", ".s3cfg", ".boto", ".passwd-s3fs",
    "rclone.conf", "accesstokens.json", "azureprofile.json", "access_tokens.db", "credentials.db",
    "application_default_credentials.json", "rootkey.csv", "accesskeys.csv", ".vault_pass",
    ".vault-pass", ".vault_password", "vault_pass.txt", "vault-password.txt", ".remote-sync.json",
    ".ftpconfig", "sftp-config.json", "deployment-config.json", ".dbeaver-data-sources.xml",
    "sitemanager.xml", "recentservers.xml", "filezilla.xml", "winscp.ini", "wp-config.php",
    "secret_token.rb", "local.properties", "keystore.properties", "key.properties",
    "signing.properties", "google-services.json", "googleservice-info.plist",
    // databases and mail
    ".my.cnf", ".mylogin.cnf", "pgpass.conf", ".htpasswd", "htpasswd", ".msmtprc", "msmtprc",
    ".fetchmailrc", ".muttrc", ".esmtprc", ".mailrc", "shadow", "gshadow", "passwords.txt",
    "password.txt", "passwords.csv", "api_key.txt", "apikey.txt", "api_keys.txt", "token.json",
    "token.pickle", "token.txt", "recovery-codes.txt", "recovery_codes.txt", ".authinfo",
    ".pg_service.conf", ".smbcredentials", ".mongorc.js", ".passwd", ".password", ".htdigest",
    ".rhosts", ".k5login", "netrc",
    // programs that talk to servers, and browsers
    ".sentryclirc", ".databrickscfg", ".rclone.conf", ".bunfig.toml", ".claude.json",
    ".clasprc.json", ".dev.vars", "local.settings.json", ".aws-credentials", "talosconfig",
    "deploy_key", "wallet.dat", ".wgetrc", ".curlrc", "_curlrc", ".xauthority", ".iceauthority",
    "cookies.txt", "cookies.json", "cookies.sqlite", "cookies.sqlite-wal", "logins.json", "key3.db",
    "key4.db", "signons.sqlite", "login data", "login data for account", "web data",
    // typed input
    ".histfile", ".zhistory", ".history", "fish_history", ".dbshell", ".lesshst", ".viminfo",
    "main.shada", "consolehost_history.txt", ".irb-history",
    // environments
    ".envrc", ".envrc.local", ".flaskenv", "dotenv", ".dotenv", "env"};

constexpr std::string_view kPatterns[] = {
    "*.tfstate.*",   "*.tfvars.*",       ".*_history",        "krb5cc*",
    "wg[0-9]*.conf", "kubeconfig.*",     "msal_token_cache*", "service_principal_entries*",
    "gha-creds-*",   "*_history.sqlite", ".vault_pass*"};

// These words also occur in names of code, samples and documents, which stay readable.
// clang-format off
constexpr std::string_view kWords[] = {
    "credentials.*", "credential.*", "*-credentials.*", "*_credentials.*", "*.credentials.*",
    "secrets.*", "secret.*", "*-secret.*", "*-secrets.*", "*_secrets.*", "*_secret.*", "*.secret.*",
    "*.secrets.*", "client_secret*", "*service-account*.json", "*service_account*.json",
    "*serviceaccount*.json", "*firebase-adminsdk*", "firebase-admin*.json", "*-keyfile.json",
    "gcp-key*.json", "passwords.*"};
// clang-format on
// Each of them has one of these in it.
constexpr std::string_view kParts[] = {"credential", "secret",  "service",  "firebase",
                                       "-keyfile",   "gcp-key", "passwords"};
constexpr std::string_view kCodeEndings[] = {
    ".c",   ".cc",   ".cpp",    ".cxx",   ".h",       ".hh",   ".hpp", ".hxx",  ".m",
    ".mm",  ".py",   ".pyi",    ".ts",    ".tsx",     ".mts",  ".cts", ".js",   ".jsx",
    ".mjs", ".cjs",  ".vue",    ".go",    ".rs",      ".java", ".kt",  ".kts",  ".rb",
    ".cs",  ".fs",   ".php",    ".swift", ".scala",   ".clj",  ".ex",  ".exs",  ".erl",
    ".hs",  ".ml",   ".mli",    ".jl",    ".lua",     ".pl",   ".pm",  ".r",    ".dart",
    ".zig", ".nim",  ".sql",    ".tf",    ".proto",   ".md",   ".rst", ".adoc", ".html",
    ".css", ".scss", ".svelte", ".d.ts",  ".graphql", ".test"};
constexpr std::string_view kSampleWords[] = {"example", "examples", "sample", "template", "dist",
                                             "tmpl",    "tpl",      "skel",   "schema",   "pub"};

// Backups left next to a file: the same text with another extension.
constexpr std::string_view kCopyEndings[] = {
    "~",        ".bak",    ".backup",  ".old", ".orig",     ".original",  ".save",
    ".saved",   ".swp",    ".swo",     ".swn", ".tmp",      ".copy",      ".rej",
    ".prev",    ".1",      ".2",       ".bk",  ".dpkg-old", ".dpkg-dist", ".dpkg-new",
    ".rpmsave", ".rpmnew", ".rpmorig", ".un~", ".gz",       ".bz2",       ".xz",
    ".zst",     ".zip",    ".tar",     ".tgz", ".enc",      ".txt"};

bool ends_with_any(std::string_view name, auto&& endings) {
  return std::ranges::any_of(endings, [&](std::string_view end) { return name.ends_with(end); });
}
bool matches_any(std::string_view name, auto&& patterns) {
  return std::ranges::any_of(
      patterns, [&](std::string_view pattern) { return pattern_matches(pattern, name); });
}

bool has_word(std::string_view name) {
  return std::ranges::any_of(kParts, [&](std::string_view part) { return name.contains(part); });
}

bool is_code(std::string_view name) { return ends_with_any(name, kCodeEndings); }

// "credentials.example.json", ".env.sample": one of its words says so.
bool is_sample(std::string_view name) {
  for (size_t begin = 0; begin < name.size();) {
    const size_t end = std::min(name.find_first_of(".-_", begin), name.size());
    const std::string_view word = name.substr(begin, end - begin);
    if (std::ranges::find(kSampleWords, word) != std::end(kSampleWords)) return true;
    begin = end + 1;
  }
  return false;
}

// .env, .env.local, .env-prod, .env_prod, env.production; the others are in the tables.
bool is_env(std::string_view name) {
  if (name.starts_with(".env"))
    return name.size() == 4 || std::string_view(".-_0123456789").find(name[4]) != name.npos;
  if (name.starts_with("env.")) return !is_code(name);
  const size_t inside = name.find(".env.");  // prod.env.local
  return inside != name.npos && !is_code(name);
}

bool is_secret_name(std::string_view name) {
  if (name.ends_with(".pub")) return false;
  if (ends_with_any(name, kKeyEndings) || matches_any(name, kKeyPatterns)) return true;
  if (is_sample(name)) return false;
  if (kNames.contains(name) || ends_with_any(name, kEndings) || is_env(name)) return true;
  if (matches_any(name, kPatterns)) return true;
  return has_word(name) && !is_code(name) && matches_any(name, kWords);
}

// "server.key" of "server.key~", ".server.key.swp" and "#server.key#"; "" when there is none.
std::string_view copied_name(std::string_view name) {
  if (name.size() > 2 && name.starts_with('#') && name.ends_with('#'))
    return name.substr(1, name.size() - 2);
  if (name.starts_with(".#")) return name.substr(2);
  for (const std::string_view end : kCopyEndings)
    if (name.size() > end.size() && name.ends_with(end))
      return name.substr(0, name.size() - end.size());
  return "";
}

bool is_secret_or_copy(std::string_view name) {
  for (int depth = 0; depth < 4 && !name.empty(); ++depth) {
    if (is_secret_name(name)) return true;
    const std::string_view copied = copied_name(name);
    // Vim's swap files are dot files, even for a file without a dot.
    if (copied.size() > 1 && copied.starts_with('.') && name.find(".sw") != name.npos &&
        is_secret_name(copied.substr(1)))
      return true;
    name = copied;
  }
  return false;
}

// Expects paths with folders, in lower case.
bool ends_as(std::string_view path, std::string_view tail) {
  const std::string_view first = tail.substr(0, tail.find_first_of("/*"));
  for (size_t at = 0; at != path.npos;) {
    const std::string_view rest = path.substr(at);
    if (rest.starts_with(first) && pattern_matches(tail, rest)) return true;
    at = path.find('/', at);
    if (at != path.npos) ++at;
  }
  return false;
}

}  // namespace

bool is_secret(std::string_view given) {
  std::string path(given);
  path = lower_case(path);
  std::string_view name;
  for (size_t begin = 0; begin <= path.size();) {
    const size_t end = std::min(path.find('/', begin), path.size());
    name = std::string_view(path).substr(begin, end - begin);
    // Some file systems take "x. " for "x".
    while (name.ends_with(' ') || name.ends_with('.')) name.remove_suffix(1);
    if (kFolders.contains(name)) return true;
    if (name.size() > 4 && name.ends_with(".git") && end < path.size()) return true;  // bare
    begin = end + 1;
  }
  if (is_secret_or_copy(name)) return true;
  // A copy's name is one behind the same folders.
  const size_t folders = path.rfind('/') == path.npos ? 0 : path.rfind('/') + 1;
  std::string_view each = name;
  for (int depth = 0; depth < 4 && !each.empty(); ++depth, each = copied_name(each)) {
    const std::string copied = path.substr(0, folders) + std::string(each);
    if (std::ranges::any_of(kTails, [&](std::string_view tail) { return ends_as(copied, tail); }))
      return true;
  }
  return false;
}

}  // namespace bodkin
