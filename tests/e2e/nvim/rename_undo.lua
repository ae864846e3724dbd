-- a change and a renamed file, taken one by one, are undone together, and it is said so
local t = ...
t.write("old.txt", "one\n")
t.write("a.py", "x = 1\n")
t.setup({ "*** Begin Patch\n*** Update File: old.txt\n*** Move to: new.txt\n@@\n-one\n+uno\n*** Update File: a.py\n@@\n-x = 1\n+x = 2\n*** End Patch\n" })
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
t.equal(t.messages[#t.messages], "bodkin: Undone.", "what is said")
