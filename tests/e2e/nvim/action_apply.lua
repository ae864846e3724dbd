-- a change taken from Neovim's own menu of code actions is as safe as any: an edit for another text is not applied
local t = ...
t.write("a.py", "x = 1\ny = 2\nz = 3\n")
t.setup({ t.block("a.py", "y = 2\n", "y = 20\n") })
t.open("a.py")
vim.cmd("2Bodkin ask Twenty")
local proposal = t.proposal()
t.end_of_ask()
local client = require("bodkin.client").of(0)
local ours = client.handlers["workspace/applyEdit"]
client.handlers["workspace/applyEdit"] = function(...)
  client.handlers["workspace/applyEdit"] = ours
  vim.api.nvim_buf_set_lines(t.buffer("a.py"), 0, 0, false, { "typed = True", "" })
  return ours(...)
end
vim.api.nvim_win_set_cursor(0, { 2, 0 })
t.choose("bodkin: Apply proposal")
t.equal(t.outcome(proposal), "refused", "the state where a line was typed meanwhile")
t.equal(t.text("a.py"), "typed = True\n\nx = 1\ny = 2\nz = 3\n", "the text")
vim.api.nvim_win_set_cursor(0, { 4, 0 })
t.choose("bodkin: Apply proposal")
t.state(proposal, "applied")
t.equal(t.text("a.py"), "typed = True\n\nx = 1\ny = 20\nz = 3\n", "the text in the end")
