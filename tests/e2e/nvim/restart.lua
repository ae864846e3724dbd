-- a server that died says so, and :Bodkin restart brings it back to work
local t = ...
t.write("a.py", "x = 1\n")
t.setup({ t.block("a.py", "x = 1\n", "x = 2\n") })
t.open("a.py")
local before = require("bodkin.client").of(0).id
vim.cmd("Bodkin restart")
t.message("was restarted")
t.wait("the new server", function()
  local client = require("bodkin.client").of(t.buffer("a.py"))
  return client and client.id ~= before and client.initialized
end)
vim.cmd("1Bodkin ask Two")
local proposal = t.proposal()
vim.cmd("Bodkin apply")
t.state(proposal, "applied")
t.equal(t.text("a.py"), "x = 2\n", "the buffer")
