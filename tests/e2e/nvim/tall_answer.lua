-- an answer is seen whole where there is room, else from its beginning; the message is its first line without Markdown
local t = ...
vim.o.columns, vim.o.lines = 80, 24
t.write("a.py", "x = 1\n")
local answer = "It sums `count` integers, starting at **values**.\n\n"
for i = 1, 20 do
  answer = answer .. i .. ". Step " .. i .. "\n"
end
local turn = { reply = { text = answer, stop_reason = "end_turn" }, chunk_bytes = 200 }
t.setup({ turn, vim.deepcopy(turn) }, nil, { window = "float" })
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

-- Where there is room, all of it is seen.
vim.o.columns, vim.o.lines = 200, 60
require("bodkin.window").close()
vim.cmd("1Bodkin ask What is it again?")
t.end_of_ask(2)
window = vim.fn.bufwinid(buffer)
t.wait("the whole answer", function()
  local seen = vim.api.nvim_win_call(window, function()
    return { vim.fn.line("w0"), vim.fn.line("w$") }
  end)
  local text = table.concat(vim.api.nvim_buf_get_lines(buffer, seen[1] - 1, seen[2], false), "\n")
  return text:find("It sums", 1, true) and text:find("20. Step 20", 1, true)
end)
t.equal(vim.api.nvim_win_get_height(window) <= 30, true, "the file keeps half of the screen")
