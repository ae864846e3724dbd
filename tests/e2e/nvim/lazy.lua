-- with nothing but the runtime path the first command starts the server
local t = ...
t.write("a.py", "def f(x):\n    return x\n")
vim.fn.mkdir(t.path("bin"))
assert((vim.uv or vim.loop).fs_symlink(vim.env.BODKIN, t.path("bin/bodkin")))
vim.env.PATH = t.path("bin") .. ":" .. vim.env.PATH
vim.cmd("edit " .. t.path("a.py"))
t.equal(#require("bodkin.client").all(), 0, "the servers before the first command")
vim.cmd("1,2Bodkin prompt Double it")
t.message("register")
t.equal(#require("bodkin.client").all(), 1, "the servers afterwards")
