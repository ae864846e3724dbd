-- after a rename that was accepted the cursor is on its line in the file of the new name
local t = ...
t.write("old.txt", "one\ntwo\nthree\nfour\nfive\nsix\n")
t.setup({ "*** Begin Patch\n*** Update File: old.txt\n*** Move to: new.txt\n@@\n-one\n+uno\n+dos\n*** End Patch\n" })
t.write("a.py", "x = 1\n")
t.open("a.py")
vim.cmd("1Bodkin ask Rename it")
local proposal = t.proposal()
t.end_of_ask()
vim.cmd("edit old.txt")
vim.api.nvim_win_set_cursor(0, { 6, 1 })
vim.cmd("Bodkin apply")
t.state(proposal, "applied")
t.equal({ vim.fn.expand("%:t"), vim.api.nvim_win_get_cursor(0) }, { "new.txt", { 7, 1 } }, "the place")
