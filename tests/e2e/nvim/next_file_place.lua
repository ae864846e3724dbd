-- the next file of a review opens at its change, however far down that is, and its keys act there
local t = ...
vim.o.columns, vim.o.lines = 80, 24
local lines = {}
for i = 1, 60 do
  lines[i] = ("v%d = %d"):format(i, i)
end
local long = table.concat(lines, "\n") .. "\n"
t.write("a.py", "x = 1\n")
t.write("long.py", long)
t.setup({ t.block("a.py", "x = 1\n", "x = 2\n") .. t.block("long.py", "v50 = 50\n", "v50 = 500\n") })
t.open("a.py")
vim.cmd("1Bodkin ask Two files")
t.proposal()
t.wait("the change", function()
  return #t.drawn("a.py") > 0
end)
vim.cmd("Bodkin accept")
t.wait("the next file", function()
  return vim.fn.expand("%:t") == "long.py" and #t.drawn("long.py") > 0
end)
t.equal(vim.api.nvim_win_get_cursor(0), { 50, 0 }, "the cursor")
vim.cmd("bdelete")
vim.cmd("buffer " .. t.buffer("a.py"))
vim.cmd("Bodkin next")
t.wait("the file again", function()
  return vim.fn.expand("%:t") == "long.py" and #t.drawn("long.py") > 0
end)
t.equal(vim.api.nvim_win_get_cursor(0), { 50, 0 }, "the cursor after :bdelete")
t.equal(vim.fn.bufname(), "long.py", "its name")
t.keys("do")
t.wait("the change", function()
  return t.text("long.py") == long:gsub("v50 = 50\n", "v50 = 500\n")
end)
