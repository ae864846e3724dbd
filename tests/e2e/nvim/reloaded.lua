-- a text that was loaded anew has another version, and what is proposed for it is drawn again
local t = ...
t.write("a.py", "x = 1\ny = 2\nz = 3\n")
t.setup({ t.block("a.py", "y = 2\n", "y = 20\n") })
t.open("a.py")
vim.cmd("2Bodkin ask Twenty")
local proposal = t.proposal()
t.end_of_ask()
t.wait("the change", function()
  return #t.drawn("a.py") > 0
end)
vim.cmd("edit!")
t.equal(#t.drawn("a.py"), 0, "what is drawn while it is loaded")
t.wait("the change again", function()
  return #t.drawn("a.py") > 0
end)

local client = require("bodkin.client").of(0)
local ours = client.handlers["workspace/applyEdit"]
client.handlers["workspace/applyEdit"] = function(...)
  client.handlers["workspace/applyEdit"] = ours
  t.write("a.py", "new = True\n\nx = 1\ny = 2\nz = 3\n")
  vim.cmd("edit!")
  return ours(...)
end
vim.cmd("Bodkin apply")
t.message("not applied: a.py has changed meanwhile")
t.state(proposal, "ready") -- for the text that is there now
t.equal(t.text("a.py"), "new = True\n\nx = 1\ny = 2\nz = 3\n", "the text")
vim.cmd("Bodkin apply")
t.state(proposal, "applied")
t.equal(t.text("a.py"), "new = True\n\nx = 1\ny = 20\nz = 3\n", "the text in the end")

-- Loaded by itself, because another program has written it.
vim.cmd("silent write")
vim.o.autoread = true
vim.fn.setreg("r", t.block("a.py", "z = 3\n", "z = 30\n"))
vim.cmd("Bodkin reply r")
local second = t.proposal(2)
vim.loop.sleep(1100) -- a time of the file that Neovim can tell from the one of before
t.write("a.py", "w = 0\nnew = True\n\nx = 1\ny = 20\nz = 3\n")
t.messages = {}
client.handlers["workspace/applyEdit"] = function(...)
  client.handlers["workspace/applyEdit"] = ours
  vim.cmd("checktime")
  return ours(...)
end
vim.cmd("Bodkin apply " .. second.id)
t.message("not applied: a.py has changed meanwhile")
t.state(second, "ready")
vim.cmd("Bodkin apply " .. second.id)
t.state(second, "applied")
t.equal(t.text("a.py"), "w = 0\nnew = True\n\nx = 1\ny = 20\nz = 30\n", "the text with both")
