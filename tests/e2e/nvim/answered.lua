-- an answer stands once in :Bodkin log
local t = ...
t.write("a.py", "x = 1\n")
t.setup({ "It is one, and stays one." })
t.open("a.py")
vim.cmd("1Bodkin ask What is x?")
t.equal(t.end_of_ask()["end"], "answer", "how the ask ended")
vim.cmd("Bodkin log")
local log = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\n")
local _, count = log:gsub("It is one, and stays one", "")
t.equal(count, 1, "how often the answer is in the log:\n" .. log)
t.contains(log, "Answered after", "the log")
t.keys("<Esc>")
t.equal(vim.api.nvim_win_get_config(0).relative, "", "the window is closed by Escape")
