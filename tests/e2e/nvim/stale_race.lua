-- typing while the edit is already on its way never mixes with it
local t = ...
t.write("a.py", "x = 1\ny = 2\nz = 3\n")
t.setup({ t.block("a.py", "y = 2\n", "y = 20\n") })
t.open("a.py")
-- Give the buffer a version above 0, or Neovim would check none.
vim.api.nvim_buf_set_lines(0, 0, 1, false, { "x = 0" })
vim.cmd("2Bodkin ask Make y 20")
local proposal = t.proposal()
local client = require("bodkin.client").of(0)
local default = vim.lsp.handlers["workspace/applyEdit"]
client.handlers["workspace/applyEdit"] = function(...)
  vim.api.nvim_buf_set_lines(t.buffer("a.py"), 0, 0, false, { "typed = True", "" })
  return default(...)
end
vim.cmd("Bodkin apply")
local state = t.outcome(proposal)
t.equal(t.text("a.py"), "typed = True\n\nx = 0\ny = 2\nz = 3\n", "the buffer")
if state == "applied" then
  t.fail("an edit that the editor skipped was reported as applied")
end
