-- the words stand beside the code: in a split from 100 columns on, else in a float that moves away from the cursor and closes with <Esc>
local t = ...
local lines = {}
for number = 1, 60 do
  lines[number] = ("v%d = %d"):format(number, number)
end
t.write("a.py", table.concat(lines, "\n") .. "\n")
local function answer(text)
  return { reply = { text = text, stop_reason = "end_turn", thoughts = nil } }
end
t.setup({ answer("One."), answer("Two."), answer("Three."), t.block("a.py", "v1 = 1\n", "v1 = 10\n") })
t.open("a.py")
local log = require("bodkin.log").buffer()
local code = vim.api.nvim_get_current_win()
local function words()
  for _, window in ipairs(vim.api.nvim_tabpage_list_wins(0)) do
    if vim.api.nvim_win_get_buf(window) == log then
      return window, vim.api.nvim_win_get_config(window).relative == "" and "split" or "float"
    end
  end
end
local asked = 0
local function ask(columns, expected)
  vim.o.columns, vim.o.lines = columns, 30
  vim.cmd("1Bodkin ask What?")
  asked = asked + 1
  t.end_of_ask(asked)
  local window, kind = words()
  t.equal({ kind, vim.api.nvim_get_current_win() }, { expected, code }, ("at %d columns: the window, and who has the cursor"):format(columns))
  return window
end

-- At the right, where the code keeps its 80 columns.
local window = ask(130, "split")
t.equal({ vim.api.nvim_win_get_width(code) >= 80, vim.api.nvim_win_get_position(window)[1] }, { true, 0 }, "beside the code")
vim.cmd("Bodkin! log")
window = ask(100, "split")
t.equal({ vim.api.nvim_win_get_width(code), vim.api.nvim_win_get_position(window)[1] > 10 }, { 100, true }, "below the code")
vim.cmd("Bodkin! log")

-- At 80 columns the line of the cursor is never covered.
window = ask(80, "float")
for _, line in ipairs({ 1, 12, 20, 28, 5, 60 }) do
  vim.api.nvim_win_set_cursor(code, { line, 0 })
  vim.cmd("redraw")
  vim.cmd("doautocmd CursorMoved")
  local row = vim.fn.screenpos(code, line, 1).row
  local first = vim.api.nvim_win_get_position(window)[1]
  t.equal(row > 0 and (row <= first or row > first + vim.api.nvim_win_get_height(window) + 2), true,
    ("the cursor in line %d, row %d, the words from row %d"):format(line, row, first))
end
vim.api.nvim_feedkeys("\27", "xt", false)
t.wait("it to close with <Esc>", function()
  return words() == nil
end)

-- And a proposal closes it.
vim.cmd("1Bodkin ask Larger")
t.proposal()
t.end_of_ask(asked + 1)
t.equal(words(), nil, "the window once the proposal is drawn")
