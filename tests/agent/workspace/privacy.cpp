#include "agent/workspace/privacy.h"

#include <doctest/doctest.h>

#include "agent/loop/scripted.h"

using namespace bodkin;

TEST_CASE("a glob matches names, paths, sets and alternatives") {
  struct Row {
    const char *pattern, *path;
    bool matches;
  };
  const Row rows[] = {
      {"*.cpp", "src/a.cpp", true},
      {"*.cpp", "src/a.cppx", false},
      {"src/*.cpp", "src/a.cpp", true},
      {"src/*.cpp", "src/b/a.cpp", false},
      {"src/**", "src/b/a.cpp", true},
      {"**/a.cpp", "a.cpp", true},
      {"**/b/*.cpp", "x/y/b/a.cpp", true},
      {"/a.cpp", "src/a.cpp", false},
      {"*.{h,cpp}", "x/a.h", true},
      {"*.{h,cpp}", "x/a.c", false},
      {"[a-c].py", "b.py", true},
      {"[!a-c].py", "b.py", false},
      {"?.py", "ab.py", false},
      {"A.PY", "a.py", true},
      {"**", "x/y", true},
      {"a*b*c", "aXbXbXc", true},
      {"", "x", false},
      {"src/**/t.c", "src/t.c", true},
  };
  for (const Row& row : rows) {
    CAPTURE(row.pattern);
    CAPTURE(row.path);
    CHECK(glob_matches(row.pattern, row.path) == row.matches);
  }
}

TEST_CASE("secrets are known by their names, samples and code are none") {
  for (const char* path : {".env",
                           "a/b/.env.local",
                           "prod.env",
                           ".ENV",
                           ".env~",
                           ".env.bak",
                           ".sentryclirc",
                           "app/.dev.vars",
                           ".kaggle/kaggle.json",
                           ".secrets/prod.yaml",
                           "e2e/playwright/.auth/user.json",
                           ".git.bak/config",
                           ".docker/config.json.bak",
                           "x/.m2/settings.xml~",
                           ".env-prod",
                           ".env_old",
                           ".env.production.swp",
                           ".env.swp",
                           "env.production",
                           ".local/state/bodkin/history.db",
                           ".local/state/bodkin/history.db-wal",
                           "app/prod.env.local",
                           ".envrc",
                           "env",
                           ".env2",
                           "config/.envs/prod",
                           "certs/server.pem",
                           "server.key",
                           "server.KEY",
                           "server.key.bak",
                           "server.key~",
                           ".server.key.swp",
                           "#server.key#",
                           "AuthKey_1.p8",
                           "a.pkcs12",
                           "a.jks",
                           "id_rsa",
                           "id_rsa.bak",
                           "id_ed25519_work",
                           "id_ecdsa_sk",
                           "home/.ssh/config",
                           ".aws/config",
                           ".git/config",
                           ".GIT/config",
                           "sub/.git",
                           ".git",
                           "sub/.git/modules/x/config",
                           "mirror.git/config",
                           ".hg/hgrc",
                           ".svn/entries",
                           ".gitconfig",
                           ".git-credentials",
                           ".netrc",
                           "_netrc",
                           "terraform.tfvars",
                           "prod.auto.tfvars.json",
                           "terraform.tfstate.backup",
                           ".terraformrc",
                           ".terraform.d/credentials.tfrc.json",
                           ".npmrc",
                           ".yarnrc.yml",
                           ".pnpmrc",
                           "pip.conf",
                           ".pypirc",
                           "NuGet.Config",
                           ".gem/credentials",
                           ".cargo/credentials.toml",
                           ".m2/settings.xml",
                           "settings-security.xml",
                           ".gradle/gradle.properties",
                           ".vault-token",
                           ".bash_history",
                           ".zsh_history",
                           ".python_history",
                           ".psql_history",
                           ".mysql_history",
                           ".node_repl_history",
                           ".lesshst",
                           "auth.json",
                           ".config/gh/hosts.yml",
                           "gh/hosts.yml",
                           ".config/gcloud/legacy_credentials/x/adc.json",
                           "application_default_credentials.json",
                           ".azure/accessTokens.json",
                           ".kube/config",
                           "kubeconfig",
                           "prod.kubeconfig",
                           ".docker/config.json",
                           ".dockercfg",
                           ".s3cfg",
                           ".boto",
                           "rclone.conf",
                           ".my.cnf",
                           ".pgpass",
                           "wp-config.php",
                           "config/master.key",
                           "client.ovpn",
                           "x.keytab",
                           "krb5cc_1000",
                           ".config/sops/age/keys.txt",
                           "app-firebase-adminsdk-x.json",
                           "my-service-account.json",
                           "client_secret_12.json",
                           ".htpasswd",
                           ".wgetrc",
                           ".curlrc",
                           "sitemanager.xml",
                           "Login Data",
                           "cookies.sqlite",
                           "cookies.txt",
                           ".Xauthority",
                           "wg0.conf",
                           "wireguard/office.conf",
                           "secrets.yaml",
                           "app-secrets.yaml",
                           "secret.json",
                           "credentials",
                           "credentials.json",
                           "credentials.json.bak",
                           "token.json",
                           "x/.mozilla/firefox/a/key4.db",
                           "env.production ",
                           ".env."}) {
    CHECK_MESSAGE(is_secret(path), std::string(path));
  }
  for (const char* path : {".env.example",
                           ".env.sample",
                           "env.example",
                           "example.env",
                           "env.py",
                           "src/env.ts",
                           "id_rsa.pub",
                           "src/credentials.py",
                           "secrets.go",
                           "keyboard.c",
                           "environment.ts",
                           "monkey.h",
                           "tokenizer.json",
                           "tokens.css",
                           ".gitignore",
                           ".gitattributes",
                           ".github/workflows/ci.yml",
                           ".gitmodules",
                           "docs/git.md",
                           "gradle.properties",
                           "config/database.yml",
                           "README.md",
                           "src/token.rs",
                           "credentials.example.json",
                           "secrets.yaml.sample",
                           "history.md",
                           "src/auth.ts",
                           "config.json",
                           "settings.xml",
                           "src/private_key.cpp",
                           "package-lock.json",
                           ".docker/Dockerfile",
                           "envoy.yaml",
                           "secret_names.cpp",
                           "key.cpp",
                           "git/config"}) {
    CHECK_MESSAGE(!is_secret(path), std::string(path));
  }
}

TEST_CASE(".bodkinignore reads like .gitignore") {
  const IgnoreList list("# comment\n\nprivate/\n*.dat\n!keep.dat\n/top.txt\ndocs/*.md\r\n");
  CHECK(list.ignores("private/a/b.c"));
  CHECK(list.ignores("x/private/b.c"));
  CHECK(!list.ignores("private"));
  CHECK(list.ignores("x/a.dat"));
  CHECK(!list.ignores("x/keep.dat"));
  CHECK(list.ignores("top.txt"));
  CHECK(!list.ignores("x/top.txt"));
  CHECK(list.ignores("docs/a.md"));
  CHECK(!list.ignores("docs/x/a.md"));
}

TEST_CASE(".bodkinignore is read however it was saved") {
  for (const char* text : {"\xEF\xBB\xBFprivate/\n", "private/\rother/\r", "./private/\n"}) {
    CHECK_MESSAGE(IgnoreList(text).ignores("private/a.c"), text);
    CHECK_MESSAGE(!IgnoreList(text).ignores("public/a.c"), text);
  }
}

TEST_CASE(".bodkinignore takes alternatives, all of them") {
  const IgnoreList list("{a,b}{c,d}.txt\n/{x,y/z}/\n");
  for (const char* path : {"ac.txt", "n/bd.txt", "x/1", "y/z/1"}) CHECK(list.ignores(path));
  for (const char* path : {"ab.txt", "y/1", "n/x/1"}) CHECK(!list.ignores(path));
  // More than 64, which once was all that counted.
  CHECK(IgnoreList("{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}\n").ignores("abababa"));
}

TEST_CASE("a .bodkinignore that nobody can hold every path against ignores everything") {
  std::string lines, alternatives, sets, groups;
  for (int i = 0; i < 1000; ++i) lines += "{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}\n";
  for (int i = 0; i < 40; ++i) alternatives += "{a,b}";
  for (int i = 0; i < 30; ++i) sets += "[" + std::string(3000, 'a') + "]\n";
  for (int i = 0; i < 10'000; ++i) groups += "{a}";
  for (const std::string& text : {lines, alternatives, sets, groups}) {
    const IgnoreList list(text);
    CHECK(list.is_too_large());
    CHECK(list.ignores("what/ever.txt"));
  }
  MemoryWorkspace workspace{{{".bodkinignore", lines}, {"a.txt", "a"}}};
  GuardedWorkspace guard(workspace, {});
  CHECK(guard.is_private("a.txt"));
  CHECK(guard.read("a.txt", {}).error().message.find(".bodkinignore is too large") !=
        std::string::npos);
}

TEST_CASE("a stop request ends the search for private files in a list") {
  MemoryWorkspace workspace{{{"a.txt", "a"}, {"b.txt", "b"}}};
  GuardedWorkspace guard(workspace, {});
  std::stop_source stop;
  stop.request_stop();
  const auto listed = guard.list("", 10, {stop.get_token(), {}});
  REQUIRE(!listed.has_value());
  CHECK(listed.error().code == Error::Code::cancelled);
}

TEST_CASE("only one spelling of a path is plain") {
  for (const char* path : {"a", "a/b.c", ".env", "..a/b"}) CHECK_MESSAGE(is_plain_path(path), path);
  for (const char* path : {"", "/a", "a/", "a//b", "./a", "a/../b", ".."}) {
    CHECK_MESSAGE(!is_plain_path(path), path);
  }
}
