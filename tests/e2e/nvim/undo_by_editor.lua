-- Neovim's own undo of a proposal is a refusal of all of it, its redo takes it again
local t = ...
local before = "a = 1\nb = 2\nc = 3\nd = 4\n"
local after = "a = 10\nb = 2\nc = 3\nd = 40\n"
t.write("a.py", before)
t.setup({ t.block("a.py", "a = 1\n", "a = 10\n") .. "\n" .. t.block("a.py", "d = 4\n", "d = 40\n") })
t.open("a.py")
vim.cmd("1Bodkin ask Ten times as much")
local proposal = t.proposal()
vim.cmd("Bodkin apply")
t.state(proposal, "applied")
t.equal(t.text("a.py"), after, "the buffer after apply")
vim.cmd("silent undo")
t.equal(t.text("a.py"), before, "the buffer after undo")
t.state(proposal, "discarded")
vim.cmd("Bodkin apply")
t.message("(:Bodkin apply " .. proposal.id .. ")")
t.equal(t.text("a.py"), before, "the buffer after an apply without an id")
vim.cmd("silent redo")
t.state(proposal, "applied")
