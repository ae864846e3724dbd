-- after a deletion was taken the review goes on with the next file
local t = ...
t.write("a.py", "x = 1\n")
t.write("gone.py", "y = 1\n")
t.write("other.py", "o = 1\n")
t.setup({ "*** Begin Patch\n*** Delete File: gone.py\n*** Update File: a.py\n@@\n-x = 1\n+x = 2\n*** End Patch\n" })
t.open("other.py")
t.open("gone.py")
vim.cmd("1Bodkin ask Two")
t.proposal()
t.wait("the deletion", function()
  return #t.drawn("gone.py") > 0
end)
vim.cmd("Bodkin accept")
t.wait("the file to be gone", function()
  return t.read("gone.py") == nil
end)
t.wait("the next file", function()
  return vim.fn.expand("%:t") == "a.py" and #t.drawn("a.py") > 0
end)
