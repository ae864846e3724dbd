-- :Bodkin why shows what the model said before its edits and after them, and nothing twice
local t = ...
t.write("a.py", "x = 1\n")
local function edit(old, new)
  return { { id = "c" .. new, name = "edit", arguments = { path = "a.py", old_str = "x = " .. old, new_str = "x = " .. new } } }
end
t.setup({
  { reply = { text = "I make it two.", tool_calls = edit(1, 2), stop_reason = "tool_use" } },
  { reply = { text = "Now it is three.", tool_calls = edit(2, 3), stop_reason = "tool_use" } },
  { reply = { text = "Now it is three.", stop_reason = "end_turn" } },
}, { agent = { profile = "tools" } })
t.open("a.py")
vim.cmd("1Bodkin ask Make x three")
t.proposal()
t.end_of_ask()
vim.cmd("Bodkin why")
local text = t.float()
t.contains(text, "I make it two.\n\nNow it is three.", "the words")
local _, count = text:gsub("Now it is three", "")
t.equal(count, 1, "the last words")

-- All of it is seen, however its lines are broken.
vim.cmd("redraw")
t.equal(vim.fn.line("w$"), vim.api.nvim_buf_line_count(0), "the last line that is seen")
t.keys("q")
vim.o.columns = 80
require("bodkin.float").text({ "a.cpp, line 7: Use of undeclared identifier 'number_of_days_in_a_year_that_is_not_a_leap_year' (clang "
  .. "undeclared_var_use)", "The last line" }, "why")
vim.cmd("redraw")
t.equal(vim.fn.line("w$"), vim.api.nvim_buf_line_count(0), "the last line that is seen, at 80 columns")
t.keys("q")

-- A name is never broken at its own signs, and a command that is to be copied not at all.
local command = "           npm install -g pyright typescript typescript-language-server bash-language-server"
require("bodkin.float").text({
  "missing    clangd, pyright, typescript-language-server, bash-language-server, to check files:", command }, "check")
local lines = vim.api.nvim_buf_get_lines(0, 0, -1, false)
t.contains(lines[1]:match("%S+%s*$"), "-language-server", "the end of the first line")
t.equal(lines[#lines], command, "the command")
