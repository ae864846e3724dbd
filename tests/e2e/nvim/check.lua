-- :Bodkin check and usage say in words what model there is
local t = ...
t.write("a.py", "x = 1\n")
t.setup({ t.block("a.py", "x = 1\n", "x = 10\n") })
t.open("a.py")
vim.cmd("Bodkin check")
t.contains(t.float(), "replay", "the check")
t.keys("q")
t.equal(vim.api.nvim_get_current_buf(), t.buffer("a.py"), "the buffer after q")
vim.cmd("Bodkin usage")
t.contains(t.float(), "token", "the usage")
