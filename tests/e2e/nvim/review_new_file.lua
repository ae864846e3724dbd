-- a new file is a step of the review: do and dp reject nothing there, and it goes on in the files, until nothing is left
local t = ...
t.write("a.py", "x = 1\n")
t.write("c.py", "z = 1\n")
t.setup({ t.block("a.py", "x = 1\n", "x = 2\n") .. t.block("b.py", "", "y = 1\n") .. t.block("c.py", "z = 1\n", "z = 2\n") })
t.open("a.py")
vim.cmd("1Bodkin ask Three files")
t.proposal()
t.wait("the change", function()
  return #t.drawn("a.py") > 0
end)
t.keys("do")
local function is_at_c()
  return #vim.api.nvim_list_tabpages() == 1 and vim.fn.expand("%:t") == "c.py" and #t.drawn("c.py") > 0
end
t.wait("the new file", function()
  return #vim.api.nvim_list_tabpages() == 2 and #vim.api.nvim_tabpage_list_wins(0) == 2 and vim.wo.diff
end)
for _, key in ipairs({ "do", "dp" }) do
  t.messages = {}
  t.keys(key)
  t.message("here a accepts, r rejects")
end
t.keys("a")
t.wait("the next file, in the file", is_at_c)
t.equal(t.text("b.py"), "y = 1\n", "the new file")
vim.cmd("Bodkin unified")
t.wait("one diff", function()
  return vim.bo.syntax == "diff"
end)
t.keys("dp")
t.message("Rejected.")
t.wait("the end", function()
  return #vim.api.nvim_list_tabpages() == 1 and #t.drawn("c.py") == 0 and #require("bodkin.proposals").pending() == 0
end)
t.equal(t.text("c.py"), "z = 1\n", "what was rejected")
