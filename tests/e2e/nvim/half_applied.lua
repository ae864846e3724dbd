-- an editor that made only one of two edits is found out, too
local t = ...
t.write("a.py", "x = 1\ny = 2\nz = 3\nw = 4\nv = 5\n")
t.setup({ t.block("a.py", "x = 1\n", "x = 10\n") .. t.block("a.py", "v = 5\n", "v = 50\n") })
t.open("a.py")
vim.cmd("1,5Bodkin ask Ten times")
local proposal = t.proposal()
require("bodkin.client").of(0).handlers["workspace/applyEdit"] = function()
  vim.api.nvim_buf_set_lines(t.buffer("a.py"), 0, 1, false, { "x = 10" })
  return { applied = true }
end
vim.cmd("Bodkin apply")
t.equal(t.outcome(proposal), "partly", "the proposal's state")
