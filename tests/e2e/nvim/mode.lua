-- :Bodkin mode changes who acts, and the status line shows it
local t = ...
t.write("a.py", "x = 1\n")
t.setup({ t.block("a.py", "x = 1\n", "x = 2\n") }, nil, { trusted = true })
t.open("a.py")
vim.cmd("Bodkin mode")
t.message("the mode is confirm")
t.equal(require("bodkin").statusline(), "", "the status line")
vim.cmd("Bodkin mode quick")
t.message(":Bodkin mode takes nothing, confirm, auto, human or plan")
vim.cmd("Bodkin mode auto")
t.message("the mode is auto")
t.wait("the status line", function()
  return require("bodkin").statusline() == "bodkin: auto"
end)
vim.cmd("1Bodkin ask Make x two")
t.wait("the edit", function()
  return t.text("a.py") == "x = 2\n"
end)
