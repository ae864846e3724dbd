-- a discarded proposal leaves no trace and cannot be applied any more
local t = ...
local before = "x = 1\ny = 2\n"
t.write("a.py", before)
t.setup({ t.block("a.py", "y = 2\n", "y = 20\n") })
t.open("a.py")
vim.cmd("2Bodkin ask Make y 20")
local proposal = t.proposal()
vim.cmd("Bodkin discard")
t.state(proposal, "discarded")
vim.cmd("Bodkin apply")
t.message("was discarded")
t.equal(t.text("a.py"), before, "the buffer")
t.equal(vim.bo.modified, false, "modified")
t.wait("bodkin's own diagnostics to go", function()
  return #vim.diagnostic.get(0) == 0
end)
