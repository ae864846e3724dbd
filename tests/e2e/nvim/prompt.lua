-- :Bodkin prompt puts the whole prompt into a register and needs no model
local t = ...
t.write("a.py", "def f(x):\n    return x\n")
t.setup()
t.open("a.py")
vim.cmd("1,2Bodkin prompt Double it")
t.message("register")
local text = vim.fn.getreg(vim.fn.has("clipboard") == 1 and "+" or '"')
t.contains(text, "Double it", "the prompt")
t.contains(text, "def f(x):\n    return x", "the prompt")
