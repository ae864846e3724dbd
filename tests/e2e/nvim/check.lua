-- :Bodkin check and usage say in words what model there is
local t = ...
t.write("a.py", "x = 1\n")
t.setup({ t.block("a.py", "x = 1\n", "x = 10\n") })
t.open("a.py")
local echoed = {}
vim.api.nvim_echo = function(chunks)
  table.insert(echoed, chunks[1][1])
end
vim.cmd("Bodkin check")
t.wait("the check's text", function()
  return #echoed == 1
end)
t.contains(echoed[1], "replay", "the check")
vim.cmd("Bodkin usage")
t.wait("the usage", function()
  return #echoed == 2
end)
t.contains(echoed[2], "token", "the usage")
