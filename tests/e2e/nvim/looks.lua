-- on a screen of 80 columns: no sign of a change on a line that stays, the columns of :Bodkin check, and how to undo
local t = ...
t.write("a.py", "x = 1\nz = 3\n")
local s = t.screen({ t.block("a.py", "x = 1\nz = 3\n", "x = 1\ny = 2\nz = 3\n") })
s.open("a.py")
s.lua("vim.cmd('Bodkin check')")
s.wait("the check", "return vim.api.nvim_win_get_config(0).relative ~= ''")
-- Where the lines go on that are too long for one row.
local columns = s.lua([[
  local columns = {}
  for _, line in ipairs(vim.api.nvim_buf_get_lines(0, 0, -1, false)) do
    local indent = line:match("^( +)%S")
    if indent then
      table.insert(columns, #indent)
    end
  end
  return columns
]])
t.equal(#columns > 0, true, "a line that is too long")
for _, column in ipairs(columns) do
  t.equal(column, #"model      ", "the column in which a row goes on")
end
s.keys("q")
s.lua("vim.cmd('1Bodkin ask One more')")
s.pending(1)
s.wait("the change", "return #vim.fn.win_findbuf(vim.fn.bufnr('a.py')) > 0 and require('bodkin.inline').of(vim.fn.bufnr('a.py')) ~= nil")
local row = table.concat(vim.tbl_filter(function(each)
  return each:find("x = 1", 1, true) ~= nil
end, s.screen()), "\n")
t.contains(row, "▁", "the row above the change")
t.equal(row:find("+", 1, true), nil, "a sign of what is added on a line that stays")
s.lua("vim.cmd('Bodkin apply')")
s.wait("the undo to be named", "return vim.fn.execute('messages'):find('Applied%..*%(:Bodkin undo%)') ~= nil")
s.stop()
