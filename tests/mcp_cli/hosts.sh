#!/bin/sh
# sh tests/mcp_cli/hosts.sh BODKIN: Claude Code, Codex and opencode as hosts of `bodkin mcp`, with a played model (hosts.py).
# Needs a network for npm the first time, and 1.1 GB in build. Ends with "N passed, N failed, N skipped".
set -eu
program=$(realpath "$1")
cd "$(dirname "$0")/../.."
. tests/setup.sh
setup_node
setup_npm claude @anthropic-ai/claude-code@2.1.330
setup_npm codex @openai/codex@0.169.0
setup_npm opencode opencode-ai@1.18.33
python3 tests/mcp_cli/hosts.py "$program" \
  "claude=$PWD/build/claude/node_modules/@anthropic-ai/claude-code-linux-x64/claude" \
  "codex=$(echo "$PWD"/build/codex/node_modules/@openai/codex-linux-x64/vendor/*/bin/codex)" \
  "opencode=$PWD/build/opencode/node_modules/opencode-linux-x64-baseline/bin/opencode"
