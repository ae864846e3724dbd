-- at 40 columns no message has to be confirmed with <Enter>, and the log has what had no room
local t = ...
t.write("a.py", "x = 1\ny = 2\nz = 3\n")
local s = t.screen({ t.block("a.py", "x = 1\n", "x = 10\n") .. t.block("a.py", "z = 3\n", "z = 30\n") })
s.lua("vim.o.columns, vim.o.lines, vim.o.ruler, vim.o.laststatus = 40, 20, true, 1")
s.open("a.py")
-- Keys and commands as a person types them; s.lua fails when the other Neovim waits for <Enter>.
local function types(keys, what, code, ...)
  s.keys(keys)
  s.wait(what, code, ...)
  s.lua("vim.cmd('redraw')")
end
-- In a message, or cut there and whole in the log.
local function has_said(words)
  s.wait("the words " .. words, [[
    local log = vim.api.nvim_buf_get_lines(require("bodkin.log").buffer(), 0, -1, false)
    return (vim.fn.execute("messages") .. table.concat(log, "\n")):find(..., 1, true) ~= nil
  ]], words)
end
types(":1Bodkin ask Ten times as much of it, please<CR>", "a proposal", "return #require('bodkin.proposals').pending() == 1")
s.drawn()
s.lua("require('bodkin.window').close()")
local state = "local p = require('bodkin.proposals'); return #p.pending() == 1 and p.pending()[1].state == ..."
types("ggdo", "a part", state, "partly")
s.wait("one change", "local _, hunks = require('bodkin.inline').of(vim.api.nvim_get_current_buf()) return #(hunks or {}) == 1")
types("G2]h", "the cursor", "return vim.fn.line('.') == 3")
s.keys("]h")
has_said("only change")
types("dp", "the rest", "return #require('bodkin.proposals').pending() == 0")
has_said("Rejected.")
types(":Bodkin undo<CR>", "the undo", "return vim.fn.getline(1) == 'x = 1'")
has_said("Undone")
s.keys(":Bodkin discard<CR>")
has_said("undone, so")
s.keys(":Bodkin nosuch<CR>")
has_said("unknown command")
s.keys(":Bodkin mode nosuch<CR>")
has_said(":Bodkin mode takes")
s.lua("vim.fn.setreg('a', ...)", t.block("a.py", "not there = 1\n", "y = 2\n"))
s.keys(":Bodkin reply a<CR>")
has_said("refused")
s.lua([[
  local client = require("bodkin.client")
  client.warn("the program bodkin was not found: install its .deb, put the tarball's bin/ on PATH (:help bodkin-install)")
  client.notify("a proposal with a long name was discarded", nil, nil, ":Bodkin redo p12-0123456789")
  client.notify(("word "):rep(40))
]])
local log = s.lua("return table.concat(vim.api.nvim_buf_get_lines(require('bodkin.log').buffer(), 0, -1, false), '\\n')")
for _, whole in ipairs({ "put the tarball's bin/ on PATH (:help bodkin-install)", "discarded (:Bodkin redo p12-0123456789)", ("word "):rep(39) }) do
  t.contains(log, whole, "the log")
end
s.lua("return 1") -- it still answers
s.stop()
