-- an ask where the working folder was deleted is an ask, not a stack trace
local t = ...
vim.fn.mkdir(t.path("gone"), "p")
vim.fn.mkdir(vim.env.WORK .. "-outside", "p")
vim.fn.writefile({ "x = 1" }, vim.env.WORK .. "-outside/a.py")
t.setup({ "Nothing." }, nil, { root_markers = {} })
vim.cmd("cd " .. t.path("gone"))
vim.fn.delete(t.path("gone"), "d")
vim.cmd("edit " .. vim.env.WORK .. "-outside/a.py")
vim.cmd("1Bodkin ask What is it?")
t.equal(t.end_of_ask()["end"], "answer", "how it ended")
vim.cmd("cd " .. vim.fn.fnameescape(vim.env.HOME))
vim.fn.delete(vim.env.WORK .. "-outside", "rf")
