#include "agent/ask/cautions.h"

#include <doctest/doctest.h>

#include "agent/loop/scripted.h"
#include "agent/workspace/privacy.h"

namespace bodkin {
namespace {

ChangedFile changed(const std::string& path, const std::string& before, const std::string& after) {
  ChangedFile file;
  file.path = path;
  file.before = Text(before);
  file.after = Text(after);
  return file;
}

TEST_CASE("what tools of a project run by its name is told, whatever stands between") {
  for (const char* path : {"conanfile.py", "docs/conf.py", "ext/extconf.rb", "deps/build.jl",
                           "webpack.config.dev.js", "webpack.dev.js", "jest.config.unit.js",
                           "wdio.conf.ts", "gatsby-node.js", "knexfile.js", "gunicorn.conf.py",
                           "locustfile.py", "Tupfile.lua", "premake4.lua", "project/Build.scala"}) {
    CHECK_MESSAGE(caution_for(path).has_value(), path);
  }
  for (const char* path : {".github/hooks/x.json", "sub/.github/hooks/x.sh", "opencode.json",
                           "app/opencode.jsonc", ".copilot/a/b.json", ".agents/x.json"}) {
    CHECK_MESSAGE(caution_for(path) == "names programs that coding agents run", path);
  }
  for (const char* path : {"src/config.js", "conf/read.py", "src/Project.scala", "build/x.jl"}) {
    CHECK_MESSAGE(!caution_for(path).has_value(), path);
  }
}

// What each of them reads from a project and runs, or takes its permissions from.
TEST_CASE("what agents, editors, git and shells run by themselves is known by its name") {
  struct Reader {
    const char* name;
    std::vector<const char*> files;
  };
  const Reader readers[] = {
      {"Claude Code",
       {".claude/settings.json", ".claude/settings.local.json", ".claude/hooks/x.sh",
        ".claude/agents/a.md", ".claude/commands/x.md", ".claude/skills/s/SKILL.md", ".mcp.json",
        ".claude-plugin/marketplace.json", "plugin/hooks/hooks.json", ".lsp.json"}},
      {"Codex", {".codex/config.toml", ".codex/hooks.json", ".codex/rules/x.rules", ".agents/x"}},
      {"Gemini CLI", {".gemini/settings.json", ".gemini/commands/x.toml", "gemini-extension.json"}},
      {"Cursor", {".cursor/mcp.json", ".cursor/hooks.json", ".cursor/environment.json"}},
      {"Copilot",
       {".github/hooks/x.json", ".github/agents/a.agent.md", ".github/mcp.json", ".copilot/x",
        ".github/skills/s/run.sh"}},
      {"OpenCode", {"opencode.json", "opencode.jsonc", ".opencode/plugin/x.ts"}},
      {"Crush", {"crush.json", ".crush.json"}},
      {"others",
       {".opencode.json", "codebuff.json", ".grok/settings.json", ".github/copilot/settings.json",
        ".kode/settings.json", ".pochi/config.jsonc", "conductor.json", ".mcp.yaml"}},
      {"Qwen, iFlow", {".qwen/settings.json", ".iflow/settings.json"}},
      {"Kiro, Amazon Q", {".kiro/hooks/x.kiro.hook", ".amazonq/mcp.json"}},
      {"Cline, Roo, Kilo",
       {".clinerules/hooks/x", ".cline/x", ".roo/mcp.json", ".roomodes", ".kilocode/mcp.json"}},
      {"Windsurf, Trae", {".windsurf/hooks.json", ".trae/mcp.json"}},
      {"Continue, Aider", {".continue/config.ts", ".continuerc.json", ".aider.conf.yml"}},
      {"Goose, Amp, Factory", {".goose/x.yaml", ".amp/settings.json", ".factory/mcp.json"}},
      {"OpenHands, Junie", {".openhands/setup.sh", ".junie/mcp/mcp.json"}},
      {"Zencoder, Serena", {".zencoder/mcp.json", ".serena/project.yml"}},
      {"Codeium, Cody, Refact", {".codeium/x.json", ".cody/x.json", ".refact/x.yaml"}},
      {"Plandex, Antigravity", {".plandex/x.json", ".antigravity/mcp.json"}},
      {"plugins of Codex and Cursor", {".codex-plugin/x.json", ".cursor-plugin/x.json"}},
      {"LM Studio and others", {".lmstudio/mcp.json", "mcp-config.json"}},
      {"LLxprt, Letta", {".llxprt/settings.json", ".letta/settings.json"}},
      {"GitLab Duo", {".gitlab/duo/mcp.json", ".gitlab/duo/agent-config.yml"}},
      {"Firebender, Lingma", {".firebender/x.json", "firebender.json", ".lingma/x.json"}},
      {"Qodo, VT Code", {".qodo/mcp.json", ".vtcode/x.toml", "vtcode.toml"}},
      {"Nanocoder", {".nanocoder/x.json", "agents.config.json"}},
      {"bodkin", {".bodkin/x.json", "bodkin.json", ".bodkinignore"}},
      {"VS Code",
       {".vscode/tasks.json", ".vscode/settings.json", ".vscode/mcp.json", "x.code-workspace"}},
      {"JetBrains", {".idea/workspace.xml", ".idea/runConfigurations/x.xml", "x.iml"}},
      {"Zed, Helix, Sublime", {".zed/tasks.json", ".helix/languages.toml", "x.sublime-project"}},
      {"Vim", {".exrc", ".nvim.lua", ".lazy.lua", ".vim/coc-settings.json", ".neoconf.json"}},
      {"Emacs", {".dir-locals.el", ".dir-locals-2.el"}},
      {"containers",
       {".devcontainer/devcontainer.json", ".devcontainer.json", ".gitpod.yml", "devcontainer.json",
        ".codesandbox/tasks.json"}},
      {"git",
       {"hooks/pre-commit", ".husky/pre-push", ".githooks/post-checkout", "sub/HEAD", ".gitmodules",
        ".gitconfig", ".pre-commit-config.yaml", "lefthook.yml", ".hooks/pre-commit", "prek.toml",
        "captainhook.json"}},
      {"shells",
       {".envrc", ".bashrc", ".zshenv", "mise.toml", "mise.production.toml", ".mise.local.toml",
        "devbox.json", ".autoenv.zsh"}},
  };
  for (const Reader& reader : readers) {
    for (const std::string file : reader.files) {
      CAPTURE(reader.name);
      CHECK_MESSAGE(acts_by_itself(file), file);
      CHECK_MESSAGE(acts_by_itself("sub/" + file), file);
      CHECK_MESSAGE(caution_for(file).has_value(), file);
    }
  }
  CHECK(acts_by_itself(".CLAUDE/Settings.json"));
  CHECK(acts_by_itself(".mcp.json."));
  // Of these bodkin only warns: somebody must build, commit or read first.
  for (const char* path : {"Makefile", "package.json", "CMakeLists.txt", "AGENTS.md", "CLAUDE.md",
                           ".github/workflows/ci.yml", "src/claude/settings.json", "config"}) {
    CHECK_MESSAGE(!acts_by_itself(path), path);
  }
}

TEST_CASE("a file that another program makes is known by its head or by .gitattributes") {
  MemoryWorkspace workspace({
      {"app/.gitattributes",
       "# *.md linguist-generated\n*.pb.go linguist-generated\n/dist/* "
       "linguist-generated=true\nmade/** linguist-generated diff=x\n"},
      {"app/sub/.gitattributes", "*.pb.go -linguist-generated\nno.c linguist-generated=false\n"},
  });
  workspace.folders = {{"app", "/app"}, {"lib", "/lib"}};
  const auto is_generated = [&](const std::string& path, const std::string& text = "x\n") {
    return !cautions({changed(path, text, "y\n")}, workspace, {}).empty();
  };
  for (const char* path : {"app/a.pb.go", "app/x/a.pb.go", "app/dist/a.js", "app/made/x/y.c"}) {
    CHECK_MESSAGE(is_generated(path), path);
  }
  for (const char* path :
       {"app/sub/a.pb.go", "app/x/dist/a.js", "app/sub/no.c", "app/a.md", "lib/a.pb.go"}) {
    CHECK_MESSAGE(!is_generated(path), path);
  }
  CHECK(is_generated("lib/a.c", "/* @generated by x */\n"));
  CHECK(is_generated("lib/a.c", "// Code generated by protoc. DO NOT EDIT.\n"));
}

TEST_CASE("a script is known by its first line, before and after") {
  MemoryWorkspace workspace({});
  CHECK(cautions({changed("a", "x\n", "#!/bin/sh\n")}, workspace, {}).size() == 1);
  CHECK(cautions({changed("a", "#!/bin/sh\n", "x\n")}, workspace, {}).size() == 1);
  CHECK(cautions({changed("a.rs", "#![no_std]\n", "#![no_core]\n")}, workspace, {}).empty());
}

TEST_CASE("a character that stands for an unreadable one is told if it is new") {
  MemoryWorkspace workspace({});
  const auto told = [&](const std::string& before, const std::string& after) {
    return cautions({changed("a.c", before, after)}, workspace, {});
  };
  CHECK(told("x\n", "\uFFFDx\uFFFD\n") ==
        std::vector<std::string>{
            "a.c: has 2 new U+FFFD, which stand for characters that could not be read"});
  CHECK(told("\uFFFD\n", "x\uFFFD\n").empty());
  CHECK(told("\uFFFD\n", "x\uFFFD\uFFFD\n").size() == 1);
}

TEST_CASE("an edit has all the cautions of its files, each once") {
  MemoryWorkspace workspace({});
  ChangedFile moved = changed("a.c", "x\n", "y\n");
  moved.rename_to = "sub/Makefile";
  const auto all = cautions(
      {moved, changed("Makefile.", "x\n", "y\n"), changed("b.c", "x\n", "y\n")}, workspace, {});
  CHECK(all == std::vector<std::string>{"sub/Makefile: runs commands when you build",
                                        "Makefile.: runs commands when you build"});
}

TEST_CASE("what a folder's .bodkinignore names is private in a workspace folder inside it, too") {
  MemoryWorkspace workspace({{"w/.bodkinignore", "sub/kept.txt\nhidden/\n"},
                             {"sub/kept.txt", "s"},
                             {"sub/open.txt", "o"},
                             {"sub/.bodkinignore", "own.txt\n"}});
  workspace.folders = {{"w", "/no/w"}, {"sub", "/no/w/sub"}};
  const GuardedWorkspace guard(workspace, {});
  for (const char* path :
       {"sub/kept.txt", "sub/hidden/x", "w/hidden/x", "sub/own.txt", "w/sub/own.txt"}) {
    CHECK_MESSAGE(guard.is_private(path), path);
  }
  for (const char* path : {"sub/open.txt", "w/kept.txt", "w/own.txt"}) {
    CHECK_MESSAGE(!guard.is_private(path), path);
  }
}

// A .bodkinignore that is there and cannot be read, for it is no text.
class UnreadableList : public MemoryWorkspace {
 public:
  using MemoryWorkspace::MemoryWorkspace;
  Result<Snapshot> read(std::string_view path, const Task& task) override {
    if (path == "w/.bodkinignore") return fail(Error::Code::invalid_input, "no text");
    return MemoryWorkspace::read(path, task);
  }
};

TEST_CASE("a .bodkinignore that cannot be read makes its folder private, and what is inside it") {
  UnreadableList workspace({{"w/a.txt", "a"}, {"sub/b.txt", "b"}, {"other/c.txt", "c"}});
  workspace.folders = {{"w", "/no/w"}, {"sub", "/no/w/sub"}, {"other", "/no/other"}};
  const GuardedWorkspace guard(workspace, {});
  CHECK(guard.is_private("w/a.txt"));
  CHECK(guard.is_private("sub/b.txt"));
  CHECK(!guard.is_private("other/c.txt"));
  GuardedWorkspace shown(workspace, {});
  CHECK(shown.read("w/a.txt", {}).error().message.find("w/.bodkinignore cannot be read") !=
        std::string::npos);
}

}  // namespace
}  // namespace bodkin
