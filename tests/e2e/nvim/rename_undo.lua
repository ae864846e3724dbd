-- a renamed file is undone with its change, and what only the editor's own undo took back is said so
local t = ...
t.write("old.txt", "one\n")
t.write("a.py", "x = 1\n")
t.setup({ "*** Begin Patch\n*** Update File: old.txt\n*** Move to: new.txt\n@@\n-one\n+uno\n*** Update File: a.py\n@@\n-x = 1\n+x = 2\n*** End Patch\n",
  "*** Begin Patch\n*** Update File: was.txt\n*** Move to: is.txt\n@@\n-one\n+uno\n*** End Patch\n" })
t.open("a.py")
vim.cmd("1Bodkin ask Rename it")
local proposal = t.proposal()
t.end_of_ask()
for _, name in ipairs({ "a.py", "old.txt" }) do
  t.wait(name .. " to be drawn", function()
    return vim.fn.expand("%:t") == name and #t.drawn(name) > 0
  end)
  vim.cmd("Bodkin accept")
end
t.state(proposal, "applied")
vim.cmd("Bodkin undo")
t.message("undone")
t.equal(t.messages[#t.messages], "Undone. (:Bodkin redo)", "what is said")

-- The editor's own undo takes back the text alone: what is left is said, and can be undone.
t.write("was.txt", "one\n")
t.open("a.py")
vim.cmd("1Bodkin ask Rename another")
local second = t.proposal(2)
t.end_of_ask(2)
vim.cmd("Bodkin apply")
t.state(second, "applied")
vim.cmd("buffer is.txt")
vim.cmd("silent undo")
t.told("Undone only in is.txt; it is still renamed from was.txt")
vim.cmd("Bodkin undo")
t.wait("the old name", function()
  return t.read("was.txt") == "one\n" and not t.read("is.txt")
end)
