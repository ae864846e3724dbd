-- a file is shown beside a window that keeps its own ('winfixbuf')
local t = ...
if vim.fn.exists("+winfixbuf") == 0 then
  return t.skip("this Neovim has no 'winfixbuf'")
end
t.write("a.py", "x = 1\n")
t.write("b.py", "b = 1\n")
t.setup({ t.block("a.py", "x = 1\n", "x = 10\n") .. t.block("b.py", "b = 1\n", "b = 2\n") })
t.open("a.py")
local fixed = vim.api.nvim_get_current_win()
vim.wo.winfixbuf = true
vim.cmd("1Bodkin ask x")
t.proposal()
t.end_of_ask()
t.wait("the changes", function()
  return #t.drawn("a.py") > 0
end)
vim.cmd("Bodkin next")
t.wait("the next file", function()
  return vim.api.nvim_buf_get_name(0) == t.path("b.py")
end)
t.equal(vim.wo.winfixbuf, false, "the other window keeps nothing")
t.equal(vim.api.nvim_win_get_buf(fixed), t.buffer("a.py"), "the window keeps its file")
