-- A project that is opened through a link to its folder, and a file in it through another link: the buffer is edited
local t = ...
local loop = vim.uv or vim.loop
vim.fn.mkdir(t.path("real/.git"), "p")
t.write("real/a.py", "x = 1\ny = 2\n")
t.write("real/b.py", "z = 3\n")
assert(loop.fs_symlink(t.path("real"), t.path("link")))
assert(loop.fs_symlink(t.path("real/b.py"), t.path("real/c.py")))
t.setup({
  t.block("a.py", "y = 2\n", "y = 20\n"),
  t.block("b.py", "z = 4\n", "z = 40\n"),
})
t.open("link/a.py")
vim.api.nvim_buf_set_lines(0, 0, 1, false, { "typed = 1" })
vim.cmd("2Bodkin ask Twenty")
local proposal = t.proposal()
t.end_of_ask()
vim.cmd("Bodkin apply")
t.state(proposal, "applied")
t.equal(t.text("link/a.py"), "typed = 1\ny = 20\n", "the buffer")
t.equal(t.read("real/a.py"), "x = 1\ny = 2\n", "the disk, before it is saved")
t.open("link/c.py")
vim.api.nvim_buf_set_lines(0, 0, -1, false, { "z = 4" })
vim.cmd("1Bodkin ask Forty")
local second = t.proposal(2)
t.end_of_ask(2)
vim.cmd("Bodkin apply " .. second.id)
t.state(second, "applied")
t.equal(t.text("link/c.py"), "z = 40\n", "the buffer by the other name")
vim.cmd("silent wall")
t.equal(t.read("real/a.py") .. t.read("real/b.py"), "typed = 1\ny = 20\nz = 40\n", "the files")
