-- a proposal whose lines were changed in the meantime is never applied
local t = ...
t.write("a.py", "x = 1\ny = 2\nz = 3\n")
t.setup({ t.block("a.py", "y = 2\n", "y = 20\n") })
t.open("a.py")
vim.cmd("2Bodkin ask Make y 20")
local proposal = t.proposal()
vim.api.nvim_buf_set_lines(0, 1, 2, false, { "y = 2 + 0" })
vim.cmd("Bodkin apply " .. proposal.id)
t.equal(t.outcome(proposal), "stale", "the proposal's state")
t.equal(t.text("a.py"), "x = 1\ny = 2 + 0\nz = 3\n", "the buffer: what the user typed, and nothing else")
