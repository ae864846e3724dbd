-- what the model says in two turns, with nothing done between them, is not run together
local t = ...
t.write("a.py", "y = 1\n")
t.setup({ t.block("a.py", "y = 7\n", "y = 2\n") .. "I try it.", "I try again.\n\n" .. t.block("a.py", "y = 1\n", "y = 2\n") })
t.open("a.py")
vim.cmd("1Bodkin ask Make y two")
t.proposal()
t.end_of_ask()
vim.cmd("Bodkin why")
t.contains(t.float(), "I try it.\n\nI try again.", "the words")
