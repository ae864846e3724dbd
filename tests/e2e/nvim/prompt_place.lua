-- the prompt does not cover the lines that it is about, wherever they are on the screen
local t = ...
t.write("a.py", ("x = 1\n"):rep(60))
local s = t.screen()
s.open("a.py")
local function is_clear(what, first, last)
  s.wait("the prompt " .. what, "return vim.bo.filetype == 'bodkinprompt'")
  -- From 1, with the border.
  local rows = s.lua([[
    local first, last = ...
    local source = vim.fn.win_getid(1)
    local top = vim.api.nvim_win_get_position(0)[1] + 1
    return { top, top + vim.api.nvim_win_get_height(0) + 1, vim.fn.screenpos(source, first, 1).row, vim.fn.screenpos(source, last, 1).row }
  ]], first, last)
  t.equal(rows[2] < rows[3] or rows[1] > rows[4], true, what .. ": " .. vim.inspect(rows))
end
for _, row in ipairs({ 1, 3, 11, 17, 20, 21, 22 }) do
  s.keys(row .. "G:Bodkin ask<CR>")
  is_clear("about line " .. row, row, row)
  s.keys("<Esc>q")
end
s.keys("gg:3,9Bodkin ask<CR>")
is_clear("about lines below the cursor", 3, 9)
s.keys("a" .. ("<C-J>"):rep(12))
is_clear("with many lines", 3, 9)
s.keys("<Esc>q")
s.keys("20G:15,21Bodkin ask<CR>")
is_clear("about lines at the end of the window", 15, 21)
s.keys("a" .. ("<C-J>"):rep(12))
is_clear("with many lines above", 15, 21)
s.keys("<Esc>q")
s.keys("12G:1,60Bodkin ask<CR>")
is_clear("about more than the window", 12, 12)
s.stop()
