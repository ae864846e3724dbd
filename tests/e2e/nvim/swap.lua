-- a file that another Neovim edits is not touched and asks nothing: a sentence says so
local t = ...
t.write("a.py", "x = 1\n")
t.write("b.py", "y = 1\n")
local swaps = t.path("swaps")
vim.fn.mkdir(swaps)
vim.opt.directory = swaps .. "//"
-- The other one.
local other = vim.fn.jobstart({ vim.env.EDITOR_UNDER_TEST, "--headless", "-u", "NONE", "-i", "NONE", "--cmd", "set directory=" .. swaps .. "//",
  t.path("b.py"), "+normal! Ax", "+preserve" }, { env = { VIMRUNTIME = vim.env.VIMRUNTIME } })
if vim.fn.glob(swaps .. "/*") == "" and not vim.wait(5000, function()
  return vim.fn.glob(swaps .. "/*") ~= ""
end, 20) then
  vim.fn.jobstop(other)
  t.skip("this Neovim starts no other one here")
end
t.setup({ t.block("a.py", "x = 1\n", "x = 2\n") .. t.block("b.py", "y = 1\n", "y = 2\n") })
t.open("a.py")
vim.opt.updatecount = 200 -- else there are no swap files
vim.opt.swapfile = true
vim.cmd("1Bodkin ask Two")
local proposal = t.proposal()
vim.cmd("Bodkin diff")
t.wait("the preview", function()
  return #vim.api.nvim_list_tabpages() == 2
end)
t.keys("]f")
t.wait("the other file", function()
  return vim.api.nvim_buf_get_lines(0, 0, -1, false)[1] == "y = 2"
end)
t.keys("q")
vim.cmd("Bodkin apply")
t.told("b.py is open in another program")
t.equal(t.text("a.py"), "x = 1\n", "the first file")
t.equal(t.read("b.py"), "y = 1\n", "the other file")
t.equal(proposal.state ~= "applied", true, "it is not said to be applied")
vim.fn.jobstop(other)
