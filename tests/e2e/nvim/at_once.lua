-- commands that need a server wait for one that is starting, and start one for the file that is open
local t = ...
t.write("a.py", "x = 1\n")
vim.fn.mkdir(t.path("bin"))
assert((vim.uv or vim.loop).fs_symlink(vim.env.BODKIN, t.path("bin/bodkin")))
vim.env.PATH = t.path("bin") .. ":" .. vim.env.PATH
vim.cmd("edit " .. t.path("a.py"))
vim.cmd("Bodkin mode auto") -- without setup()
t.equal(#require("bodkin.client").all(), 1, "the servers that start")
vim.cmd("enew") -- the server counts although this is no file
vim.cmd("Bodkin undo")
vim.cmd("edit " .. t.path("a.py"))
vim.cmd("Bodkin resume")
t.message("the mode is auto")
t.message("Nothing to undo")
t.message("no sessions in this workspace yet")
t.equal(#require("bodkin.client").all(), 1, "the servers")
for _, message in ipairs(t.messages) do
  t.equal(message:find("no server is running", 1, true), nil, message)
end
