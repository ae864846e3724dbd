// More than 350 lines: most of them are one table.
#include "agent/ask/cautions.h"

#include <fmt/format.h>

#include <algorithm>

#include "agent/workspace/privacy.h"
#include "edits/text/find_bytes.h"
#include "edits/text/pieces.h"
#include "grammars/languages.h"

namespace bodkin {

namespace {

struct Careful {
  std::string_view patterns;  // of glob_matches, with a blank between them
  std::string_view why;       // goes on after "NAME: "
  // An agent, an editor, git or a shell runs or obeys it although nobody builds, runs or commits.
  bool acts_by_itself = false;
};

// Decides: which files run commands.
constexpr Careful kCareful[] = {
    // Agents: what they run, or obey about what they may run
    {".mcp.json mcp.json mcp_config.json .lsp.json opencode.json opencode.jsonc crush.json "
     ".crush.json kilo.json kilo.jsonc gptme.toml gemini-extension.json claude_desktop_config.json "
     "cline_mcp_settings.json mcp_settings.json **/.mcp/** **/.claude-plugin/** "
     "**/hooks/hooks.json **/.github/hooks/** **/.github/mcp.json **/.github/extensions/** "
     "**/.copilot/** **/.opencode/** **/.qwen/** **/.amazonq/** **/.kiro/** **/.augment/** "
     "**/.factory/** **/.agents/** **/.agent/** **/.amp/** **/.goose/** **/.cline/** **/.trae/** "
     "**/.kilocode/** **/.openhands/** **/.crush/** **/.vibe/** **/.iflow/** **/.pi/** "
     "**/.junie/** **/.devin/** **/.rovodev/** **/.tabnine/** **/.warp/** **/.forge/** "
     "**/.codebuddy/** **/.qoder/** **/.idx/** **/.ona/** .replit .opencode.json codebuff.json "
     "**/.grok/** **/.github/copilot/** **/.openclaw/** **/.kode/** **/.commandcode/** **/.adal/** "
     "**/.cortex/** **/.pochi/** **/.neovate/** **/.mcpjam/** **/.mux/** conductor.json .mcp.yaml "
     "**/.zencoder/** **/.serena/** **/.codeium/** **/.cody/** **/.refact/** **/.plandex/** "
     "**/.antigravity/** **/.codex-plugin/** **/.cursor-plugin/** **/.lmstudio/** mcp-config.json "
     "**/.llxprt/** **/.gitlab/duo/** **/.firebender/** firebender.json **/.lingma/** **/.qodo/** "
     "**/.vtcode/** vtcode.toml **/.nanocoder/** agents.config.json **/.letta/**",
     "names programs that coding agents run", true},
    {"**/.claude/** **/.claude **/.codex/** **/.codex **/.gemini/** **/.gemini **/.cursor/** "
     "**/.cursor **/.clinerules/** **/.windsurf/** **/.windsurf **/.roo/** .roomodes "
     ".kilocodemodes **/.continue/** .continuerc.json **/.aider* **/.github/agents/** "
     "**/.github/skills/** **/.ruler/** **/.aiassistant/**",
     "tells coding agents what to do, and which programs to run", true},
    {"AGENTS.md AGENT.md AGENTS.override.md CLAUDE.md CLAUDE.local.md GEMINI.md QWEN.md WARP.md "
     "CONVENTIONS.md .cursorrules .windsurfrules .clinerules .goosehints .rules "
     "**/.github/copilot-instructions.md **/.github/instructions/** **/.github/prompts/** "
     "*.instructions.md *.prompt.md *.chatmode.md",
     "tells coding agents what to do"},
    {"**/.bodkin/** .bodkin bodkin.json", "configures bodkin", true},
    {".bodkinignore", "decides which files models may read", true},
    // Editors
    {"**/.vscode/** **/.vscode *.code-workspace **/.vs/**",
     "configures VS Code, which can run its tasks and programs", true},
    {"**/.idea/** **/.idea *.iml **/.fleet/**", "configures JetBrains IDEs, which can run programs",
     true},
    {"**/.zed/** **/.nova/** **/.helix/** *.sublime-project *.sublime-build .kateproject "
     ".ycm_extra_conf.py **/.theia/** .project **/.externalToolBuilders/** **/.run/** *.ipr "
     ".lite_project.lua .kakrc",
     "configures an editor, which can run programs", true},
    {".exrc .nvimrc .vimrc .gvimrc _vimrc .lvimrc .nvim.lua .exrc.lua .lazy.lua .neoconf.json "
     ".vim **/.vim/** **/.nvim/** .local.vimrc .netrwhist _vimrc_local.vim Session.vim "
     "**/.config/nvim/** init.vim",
     "runs when Vim or Neovim opens the folder", true},
    {".dir-locals.el .dir-locals-2.el .emacs .emacs.d **/.emacs.d/** init.el",
     "runs code when Emacs opens a file", true},
    {".devcontainer.json devcontainer.json **/.devcontainer/** **/.devcontainer .gitpod.yml "
     "**/.gitpod/** **/.codesandbox/**",
     "runs commands when the folder is opened in a container", true},
    {".clangd", "decides how clangd calls a compiler"},
    {"compile_flags.txt compile_commands.json", "decides how the compiler is called"},
    {".pylintrc pylintrc binding.gyp *.gypi mypy.ini .mypy.ini .flake8 .rubocop.yml .coveragerc "
     ".golangci.yml .golangci.yaml .golangci.toml .sqlfluff analysis_options.yaml .ccls Jakefile "
     "**/.bundle/config **/.ipython/**",
     "configures tools that run code"},
    {"build.sc build.mill *.pro BUILD.gn *.gn *.gni wscript wscript_build",
     "runs commands when you build"},
    // Continuous integration
    {"**/.github/workflows/** **/.github/actions/** action.yml action.yaml "
     "**/.github/dependabot.yml "
     "**/.github/CODEOWNERS CODEOWNERS",
     "decides what runs on GitHub, with its secrets"},
    {".gitlab-ci.yml *.gitlab-ci.yml .gitlab-ci.yaml **/.gitlab/** **/.gitlab",
     "runs commands in GitLab CI"},
    {"**/.circleci/** **/.circleci Jenkinsfile Jenkinsfile.* *.jenkinsfile azure-pipelines*.yml "
     "azure-pipelines*.yaml **/.azure-pipelines/** .travis.yml .appveyor.yml appveyor.yml "
     "bitbucket-pipelines.yml .drone.yml .drone.star .cirrus.yml .cirrus.star .woodpecker.yml "
     "**/.woodpecker/** **/.buildkite/** **/.teamcity/** **/.forgejo/** **/.gitea/** "
     "**/.semaphore/** "
     "cloudbuild.yaml cloudbuild.yml buildspec.yml codemagic.yaml netlify.toml vercel.json "
     "wercker.yml .readthedocs.yml .readthedocs.yaml",
     "runs commands in continuous integration"},
    {"renovate.json renovate.json5 .renovaterc .renovaterc.json .mergify.yml",
     "steers a service that changes the repository"},
    // Git
    {"**/hooks/{applypatch-msg,pre-applypatch,post-applypatch,pre-commit,pre-merge-commit,"
     "prepare-commit-msg,commit-msg,post-commit,pre-rebase,post-checkout,post-merge,pre-push,"
     "pre-receive,update,post-receive,post-update,reference-transaction,push-to-checkout,pre-auto-"
     "gc,"
     "post-rewrite,sendemail-validate,fsmonitor-watchman} **/.husky/** **/.husky **/.githooks/** "
     "**/.githooks **/githooks/** **/git-hooks/** .huskyrc .huskyrc.* lefthook.{yml,yaml} "
     ".lefthook.{yml,yaml} "
     "lefthook.yaml lefthook-local.{yml,yaml} .lintstagedrc .lintstagedrc.* lint-staged.config.* "
     ".pre-commit-config.yaml .pre-commit-config.yml .pre-commit-hooks.yaml .overcommit.yml "
     "**/.hooks/** **/.git-hooks/** **/.trunk/** .simple-git-hooks.json prek.toml hk.pkl "
     "captainhook.json grumphp.yml",
     "runs when you commit or push", true},
    {".gitattributes", "decides which programs git runs on files"},
    {".gitmodules", "decides what git fetches, and from where", true},
    {".gitconfig **/.config/git/** .git-blame-ignore-revs",
     "configures git, which can run programs", true},
    {"HEAD", "makes its folder a repository for git, whose settings can run programs", true},
    {".hgrc **/.hg/** **/.svn/** **/.jj/** **/.bzr/**",
     "configures version control, which can run programs", true},
    // Shells and the environment
    {"**/{.venv,venv,.env,env}/{bin,Scripts}/** .rvmrc .envrc .direnvrc direnvrc .autoenv.zsh "
     ".autoenv_leave.zsh **/.shadowenv.d/** **/.flox/** "
     "devbox.json",
     "runs when you enter the folder", true},
    {".bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zshenv "
     ".zprofile "
     ".zlogin .zlogout .kshrc .cshrc .tcshrc .login .logout .xprofile .xinitrc .xsession .inputrc "
     "config.fish **/.config/fish/** config.nu env.nu profile.ps1 *_profile.ps1 .autoenv .env.fish "
     "**/.config/autostart/** **/.config/systemd/** .tmux.conf .screenrc .gdbinit .lldbinit",
     "runs when a shell, a session or a debugger starts", true},
    {".tool-versions mise.toml .mise.toml mise.local.toml mise.*.toml .mise.*.toml "
     "**/.config/mise/** **/mise/config.toml **/.mise/** .rtx.toml .asdfrc "
     ".sdkmanrc",
     "decides which programs are installed and run", true},
    {"*.desktop *.service *.timer *.socket crontab", "runs programs of the session or the system"},
    // Build files
    {"Makefile GNUmakefile makefile Makefile.* *.mk *.mak *.make Makefile.in Makefile.am Kbuild",
     "runs commands when you build"},
    {"CMakeLists.txt *.cmake *.cmake.in CMakePresets.json CMakeUserPresets.json",
     "runs commands when you build (CMake)"},
    {"meson.build meson_options.txt meson.options", "runs commands when you build (Meson)"},
    {"configure configure.ac configure.in autogen.sh bootstrap *.m4",
     "runs commands when you build"},
    {"justfile .justfile *.just Rakefile *.rake Taskfile.{yml,yaml} Taskfile.*.{yml,yaml} Tiltfile "
     "Earthfile Procfile Procfile.* Vagrantfile SConstruct SConscript wscript waf Snakefile "
     "Brewfile Guardfile Capfile Fastfile Dangerfile magefile.go build.ninja *.ninja xmake.lua "
     "premake*.lua Tupfile Tupfile.lua Makefile.toml bacon.toml",
     "runs commands when you build"},
    {"BUILD BUILD.bazel WORKSPACE WORKSPACE.bazel MODULE.bazel *.bzl .bazelrc .bazelversion BUCK "
     ".buckconfig pants.toml BUILD.pants",
     "runs commands when you build (Bazel, Buck, Pants)"},
    {"*.gradle *.gradle.kts gradlew gradlew.bat gradle.properties **/gradle/wrapper/** "
     "**/gradle/*.toml **/buildSrc/**",
     "runs code when you build (Gradle)"},
    {"pom.xml **/.mvn/** mvnw mvnw.cmd ivy.xml build.xml build.sbt **/project/*.sbt "
     "**/project/*.scala **/project/build.properties .jvmopts .sbtopts",
     "runs code when you build (Maven, Ant, sbt)"},
    {"*.vcxproj *.vcxproj.* *.csproj *.fsproj *.vbproj *.proj *.props *.targets *.sln *.slnx "
     "NuGet.Config global.json dotnet-tools.json Directory.Build.* *.rsp",
     "runs commands when you build (MSBuild)"},
    {"*.pbxproj *.xcconfig *.xcscheme Podfile *.podspec Cartfile Package.swift",
     "runs code when you build (Xcode, Swift)"},
    {"build.rs **/.cargo/config **/.cargo/config.toml Cargo.toml rust-toolchain "
     "rust-toolchain.toml "
     "**/.config/nextest.toml",
     "decides what Cargo builds and runs"},
    {"build.zig build.zig.zon dune dune-project *.cabal Setup.hs cabal.project stack.yaml "
     "rebar.config "
     "mix.exs project.clj deps.edn bb.edn shadow-cljs.edn",
     "runs code when you build"},
    {"flake.nix flake.lock default.nix shell.nix devenv.nix *.nix",
     "runs code when Nix evaluates it"},
    {"Dockerfile Dockerfile.* *.Dockerfile Containerfile Containerfile.* "
     "docker-compose*.{yml,yaml} "
     "docker-compose*.yaml compose.{yml,yaml} compose.*.{yml,yaml} docker-bake.hcl "
     "docker-bake.json .dockerignore skaffold.yaml",
     "decides what runs in containers"},
    {"*.tf *.tf.json *.hcl Chart.yaml kustomization.{yml,yaml} ansible.cfg "
     "playbook.{yml,yaml} Pulumi.yaml serverless.{yml,yaml}",
     "decides what is deployed"},
    // Languages and their package managers
    {"conftest.py sitecustomize.py usercustomize.py *.pth setup.py setup.cfg pyproject.toml "
     "tox.ini "
     "conanfile.py conf.py *.conf.py *_conf.py locustfile.py "
     "noxfile.py pytest.ini .pytest.ini tasks.py fabfile.py dodo.py manage.py hatch_build.py "
     "pdm_build.py hatch.toml pip.conf .pypirc pyvenv.cfg .pdbrc uv.toml poetry.toml .condarc",
     "runs code when Python, its tests or its builds start"},
    {"requirements*.txt constraints*.txt Pipfile Pipfile.lock poetry.lock uv.lock pdm.lock "
     "environment.{yml,yaml}",
     "decides which packages are installed, whose code runs"},
    {"package.json", "runs its scripts when you install, build or test"},
    {"package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml bun.lock bun.lockb deno.lock "
     "Cargo.lock go.sum Gemfile.lock composer.lock Package.resolved Podfile.lock mix.lock",
     "decides which packages are installed, whose code runs"},
    {".npmrc .yarnrc .yarnrc.{yml,yaml} **/.yarn/** .pnpmfile.cjs .pnpmfile.mjs pnpmfile.js "
     "pnpm-workspace.yaml bunfig.toml deno.json deno.jsonc lerna.json nx.json turbo.json rush.json",
     "configures the package manager, which runs code"},
    {"*.{config,conf}.{js,cjs,mjs,ts,cts,mts} *.{config,conf}.*.{js,cjs,mjs,ts,cts,mts} "
     "webpack.*.{js,cjs,mjs,ts} rollup.*.{js,cjs,mjs,ts} gatsby-*.{js,ts,tsx} knexfile.{js,ts} "
     ".eslintrc .eslintrc.* .prettierrc .prettierrc.* .stylelintrc .stylelintrc.* .babelrc "
     ".babelrc.* "
     ".swcrc .mocharc.* .nycrc .nycrc.* .c8rc .c8rc.* .releaserc .releaserc.* .commitlintrc "
     ".commitlintrc.* .postcssrc .postcssrc.* .parcelrc .huskyrc.js Gruntfile.js Gruntfile.* "
     "gulpfile.js gulpfile.* jest.setup.* vitest.setup.* setupTests.* karma.conf.* .pnp.cjs "
     ".pnp.loader.mjs angular.json project.json",
     "runs code when tools of the project start"},
    {"Gemfile gems.rb *.gemspec extconf.rb .gemrc .irbrc .pryrc .rspec spec_helper.rb "
     "rails_helper.rb "
     "config.ru",
     "runs code when Ruby, its tests or its packages start"},
    {"composer.json phpunit.xml phpunit.xml.dist .php-cs-fixer.php .php-cs-fixer.dist.php "
     "auto_prepend_file .user.ini .htaccess php.ini",
     "runs code when PHP, its tests or its packages start"},
    {"go.mod go.work go.env", "decides which packages are built, whose code runs"},
    {".Rprofile .Renviron *.Rproj .lintr .luarc.json .luacheckrc .busted .perltidyrc .perlcriticrc "
     "Makefile.PL Build.PL .ocamlinit .ghci .iex.exs startup.jl **/deps/build.jl .sbclrc .clisprc",
     "runs code when a language's tools start"},
    {".editorconfig", "decides how editors write files"},
    {"watchman .watchmanconfig nodemon.json .foreman", "decides what runs when files change"},
};

// Languages that describe how programs are built, run or deployed.
constexpr std::string_view kNoSource[] = {"hcl", "json", "shellscript", "toml", "xml", "yaml"};
// Source code and prose without a grammar of ours.
constexpr std::string_view kAlsoSource =
    "*.txt *.rst *.adoc *.tex *.scss *.sass *.less *.vue *.svelte *.dart *.pl *.pm *.r *.clj "
    "*.cljs *.erl *.hrl *.fs *.fsi *.nim *.d *.f *.f90 *.ada *.adb *.ads *.pas *.m *.mm *.sql "
    "*.proto *.graphql *.asm *.s *.v *.sv *.vhd *.sol *.el *.lisp *.scm *.rkt *.tcl";

constexpr size_t kHead = 2000;  // leading bytes in which a generated file declares itself

bool is_in(std::string_view patterns, std::string_view path) {
  return std::ranges::any_of(split(patterns, ' '),
                             [&](std::string_view pattern) { return glob_matches(pattern, path); });
}

// "#![" is an attribute of Rust, not a line that names an interpreter.
bool is_script(const std::optional<Text>& text) {
  if (!text) return false;
  const std::string head = text->substr(0, 3);
  return head.starts_with("#!") && head != "#![";
}

bool is_marked_generated(const Text& text) {
  const std::string head = text.substr(0, kHead);
  return head.contains("DO NOT EDIT") || head.contains("Do not edit") ||
         head.contains("do not edit") || head.contains("@generated");
}

// Whether the .gitattributes next to and above a file mark it as generated: the innermost file and
// its last matching line win.
bool is_linguist_generated(std::string_view path, Workspace& workspace, const Task& task) {
  const auto place = workspace.roots(task).find(path);
  const size_t top = place ? path.size() - place->inside.size() : 0;
  for (size_t slash = path.rfind('/');; slash = path.rfind('/', slash - 1)) {
    const size_t folder = slash == path.npos || slash + 1 < top ? top : slash + 1;
    const std::string file = std::string(path.substr(0, folder)) + ".gitattributes";
    std::optional<bool> said;
    if (const auto attributes = workspace.read(file, task)) {
      for (size_t i = 0; i < attributes->text.line_count(); ++i) {
        const std::string line = attributes->text.line(i);
        const size_t at = line.find("linguist-generated");
        const size_t end = line.find_first_of(" \t");
        if (line.starts_with('#') || at == line.npos || end == line.npos || end > at) continue;
        if (!IgnoreList(line.substr(0, end)).ignores(path.substr(folder))) continue;
        said = line[at - 1] != '-' && line[at - 1] != '!' &&
               line.substr(at).find("=false") != sizeof "linguist-generated" - 1;
      }
    }
    if (said) return *said;
    if (folder == top) return false;
  }
}

// Why a file of this path is not source code or prose; nullopt: it is.
std::optional<std::string_view> reason_not_source(std::string_view path) {
  if (path.starts_with('.') || path.contains("/.")) return "is hidden or in a hidden folder";
  const Language* language = language_of(path);
  if (language && std::ranges::find(kNoSource, language->id) != std::end(kNoSource)) {
    return "may configure or run something";
  }
  if (!language && !is_in(kAlsoSource, path)) return "is not known to be source code";
  return std::nullopt;
}

}  // namespace

std::optional<std::string_view> caution_for(std::string_view path) {
  while (path.ends_with('.') || path.ends_with(' ')) path.remove_suffix(1);  // as Windows does
  for (const Careful& each : kCareful) {
    if (is_in(each.patterns, path)) return each.why;
  }
  return std::nullopt;
}

bool acts_by_itself(std::string_view path) {
  while (path.ends_with('.') || path.ends_with(' ')) path.remove_suffix(1);  // as Windows does
  return std::ranges::any_of(kCareful, [&](const Careful& each) {
    return each.acts_by_itself && is_in(each.patterns, path);
  });
}

std::optional<std::string> caution_for_text(const ChangedFile& file) {
  constexpr std::string_view kReplacement = "\xEF\xBF\xBD";
  const auto count = [&](const std::optional<Text>& text) {
    size_t found = 0;
    const std::string bytes = text ? text->str() : "";
    for (size_t at = 0; (at = find_bytes(bytes, kReplacement, at)) != bytes.npos; ++at) ++found;
    return found;
  };
  const size_t before = count(file.before), after = count(file.after);
  if (after <= before) return std::nullopt;
  return fmt::format("has {} new U+FFFD, which {} that could not be read", after - before,
                     after - before == 1 ? "stands for a character" : "stand for characters");
}

std::vector<std::string> cautions(const std::vector<ChangedFile>& files, Workspace& workspace,
                                  const Task& task) {
  std::vector<std::string> result;
  const auto say = [&](std::string sentence) {
    if (std::ranges::find(result, sentence) == result.end()) result.push_back(std::move(sentence));
  };
  for (const ChangedFile& file : files) {
    const bool has_interpreter = is_script(file.after) || is_script(file.before);
    bool is_program = false;
    for (const std::string& path : {file.path, file.last_path()}) {
      const auto target = workspace.edit_target(path, true, task);
      is_program = is_program || (target && target->executable);
      if (const auto why = caution_for(path)) {
        say(fmt::format("{}: {}", path, *why));
      } else if (target && target->path != path) {
        if (const auto behind = caution_for(target->path))
          say(fmt::format("{}, a link to {}: {}", path, target->path, *behind));
      }
    }
    const std::string& now = file.last_path();
    if ((is_program || has_interpreter) && !caution_for(now))
      say(now + (is_program ? ": is executable" : ": is a script, which can be run"));
    if (const auto why = caution_for_text(file)) say(fmt::format("{}: {}", now, *why));
    const bool is_generated = (file.before && is_marked_generated(*file.before)) ||
                              is_linguist_generated(file.path, workspace, task);
    if (is_generated) {
      say(file.path + ": is generated; the change will be overwritten");
    }
  }
  return result;
}

std::vector<std::string> needs_review(const std::vector<ChangedFile>& files, Workspace& workspace,
                                      const Task& task) {
  std::vector<std::string> result;
  const Roots roots = workspace.roots(task);
  const auto look_at = [&](const std::string& path) {
    const auto place = roots.find(path);
    const auto why = reason_not_source(place ? place->inside : path);
    if (why) result.push_back(fmt::format("{}: {}, so it needs your review", path, *why));
    return why.has_value();
  };
  for (const ChangedFile& file : files) {
    const std::string& now = file.last_path();
    if (look_at(file.path) || (now != file.path && look_at(now))) continue;
    const auto target = workspace.edit_target(now, true, task);
    if (target && target->path != now) look_at(target->path);
  }
  return result;
}

}  // namespace bodkin
