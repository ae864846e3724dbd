-- :Bodkin why shows the model's words without its edits, and does not speak of words that there never were
local t = ...
t.write("a.py", "x = 1\n")
t.setup({ "Ten is better.\n\n*** Begin Patch\n*** Update File: a.py\n@@\n-x = 1\n+x = 10\n*** End Patch\n" })
t.open("a.py")
vim.cmd("1Bodkin ask Make x ten")
t.proposal(1)
t.end_of_ask(1)
vim.cmd("Bodkin why")
t.contains(t.float(), "Ten is better.", "the words")
t.equal(t.float():find("Patch", 1, true), nil, "the patch among the words")
t.keys("q")
vim.cmd("Bodkin discard")

vim.fn.setreg("a", t.block("a.py", "x = 1\n", "x = 2\n"))
vim.cmd("Bodkin reply a")
t.proposal(2)
vim.cmd("Bodkin why")
t.contains(t.float(), "No model was asked for it", "a pasted reply")
