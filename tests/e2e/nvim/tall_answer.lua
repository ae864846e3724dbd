-- an answer that is taller than the window is seen from its beginning; the message is its first line without Markdown
local t = ...
vim.o.columns, vim.o.lines = 80, 24
t.write("a.py", "x = 1\n")
local answer = "It sums `count` integers, starting at **values**.\n\n"
for i = 1, 20 do
  answer = answer .. i .. ". Step " .. i .. "\n"
end
t.setup({ { reply = { text = answer, stop_reason = "end_turn" }, chunk_bytes = 200 } })
t.open("a.py")
vim.cmd("1Bodkin ask What is it?")
t.end_of_ask()
t.message("It sums count integers, starting at values. (:Bodkin log)")
local buffer = require("bodkin.log").buffer()
local window = vim.fn.bufwinid(buffer)
local first = vim.api.nvim_win_call(window, function()
  return vim.fn.line("w0")
end)
t.contains(vim.api.nvim_buf_get_lines(buffer, first - 1, first, false)[1], "It sums", "the first line that is seen")
