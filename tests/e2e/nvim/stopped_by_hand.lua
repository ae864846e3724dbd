-- a server that the user stops is not said to have failed
local t = ...
t.write("a.py", "x = 1\n")
t.setup({})
t.open("a.py")
local client = require("bodkin.client").of(0)
if vim.fn.has("nvim-0.11") == 1 then
  client:stop()
else
  client.stop()
end
t.wait("its end", function()
  return require("bodkin.client").of(0) == nil
end)
t.equal(t.messages, {}, "nothing is said")
