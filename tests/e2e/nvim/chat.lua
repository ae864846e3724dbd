-- the log is a conversation: a request is typed in its last line, gf opens what is named, and no key changes what was said
local t = ...
t.write("a.py", "x = 1\ny = 2\nz = 3\n")
t.write("b.py", "b = 1\n")
local s = t.screen({ "See `a.py:3`, and b.py.", { reply = { text = "The second answer.", stop_reason = "end_turn" },
  expect = { "What is x?", "And then?", "in two lines" } }, t.block("a.py", "x = 1\n", "x = 10\n") }, nil, { window = "float" })
s.open("a.py")
s.keys(":2<CR>:2Bodkin ask What is x?<CR>")
local function log()
  return s.lua("return table.concat(vim.api.nvim_buf_get_lines(require('bodkin.log').buffer(), 0, -1, false), '\\n')")
end
local function waits(text)
  t.wait("the log to have " .. text, function()
    return log():find(text, 1, true)
  end)
end
waits("*Answered after")
local said = log()

-- Nothing that was said is changed, by whatever key; what is typed is kept, or goes with its line.
s.keys(":Bodkin log<CR>")
s.wait("the window", "return vim.api.nvim_get_current_buf() == require('bodkin.log').buffer()")
for _, keys in ipairs({ "GdggG", "gg:%d<CR>G", "Gdd", "ggVGJ", "Gkkdk", "ggxG", "Gu", "ggOnothing<Esc>dd" }) do
  s.keys("G" .. keys)
  s.lua("vim.cmd('redraw')") -- two messages at once would have to be confirmed
  t.wait("the log as it was, after " .. keys, function()
    local now = log()
    return vim.startswith(now, said:gsub("%s+$", "")) and now or nil
  end)
end
s.keys("<Esc>")
s.wait("the window to close", "return vim.api.nvim_get_current_buf() ~= require('bodkin.log').buffer()")

-- Typing begins in the last line, from wherever; it is about the file beside, and goes on with the conversation.
s.keys(":Bodkin log<CR>ggiAnd then?<C-J>in two lines<CR>")
waits("The second answer.")
t.contains(log(), "And then?\nin two lines\n*a.py, line 2", "the head of the second ask")
s.wait("an empty prompt", "return require('bodkin.transcript').prompt() == ''")
s.keys("i<Up>")
s.wait("the request of before", "return require('bodkin.transcript').prompt() == 'And then?\\nin two lines'")
s.keys("<Esc>cc")
s.wait("a line of it to be replaced", "return vim.api.nvim_get_mode().mode == 'i'")
s.keys("<Esc>")
s.wait("the key of Vim to have its meaning", "return require('bodkin.transcript').prompt() == 'And then?\\n'")

-- gf goes to the file and line in the window of before.
s.keys("gg/a.py:3<CR>gf")
s.wait("the file", "return vim.api.nvim_buf_get_name(0):match('[^/]+$') == 'a.py' and vim.api.nvim_win_get_cursor(0)[1] == 3")
s.keys(":Bodkin log<CR>gg/b.py<CR>gf")
s.wait("the other file", "return vim.api.nvim_buf_get_name(0):match('[^/]+$') == 'b.py'")
t.contains(log(), "The second answer.", "the log")

-- The floating window from which a change was asked for makes room for it.
s.keys(":edit a.py<CR>:Bodkin log<CR>iMake x ten<CR>")
s.pending(1)
s.wait("the file with the change", "return vim.api.nvim_buf_get_name(0):match('[^/]+$') == 'a.py'")
s.drawn()
s.stop()
