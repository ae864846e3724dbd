-- a proposal off the screen is named with its key and line, or the window scrolls to it where there is room; the cursor stays
local t = ...
vim.o.columns, vim.o.lines = 80, 24
local lines = {}
for number = 1, 200 do
  lines[number] = ("v%d = %d"):format(number, number)
end
t.write("a.py", table.concat(lines, "\n") .. "\n")
local function edit(number)
  return t.block("a.py", lines[number] .. "\n", lines[number] .. "0\n")
end
t.setup({ edit(150), edit(30), edit(3), edit(152) }, nil, { window = "none" })
t.open("a.py")
local count = 0
local function propose(line, number)
  vim.cmd(tostring(line))
  vim.cmd("normal! " .. (line < 30 and "zb" or "zz"))
  vim.cmd("redraw")
  local top = vim.fn.line("w0")
  vim.cmd(number .. "Bodkin ask Larger")
  count = count + 1
  t.proposal(count)
  t.end_of_ask(count)
  t.equal(vim.api.nvim_win_get_cursor(0)[1], line, "the cursor")
  t.wait("the change to be drawn", function()
    local _, hunks = require("bodkin.inline").of(vim.api.nvim_get_current_buf())
    return hunks and hunks[1].first == number - 1
  end)
  vim.cmd("redraw")
  return top, vim.fn.line("w0"), vim.fn.line("w$")
end
local function said(text)
  return table.concat(t.messages, "\n"):find(text, 1, true) ~= nil
end

local before, top = propose(5, 150)
t.equal({ top, said("(]h: line 150)") }, { before, true }, "far below: the window, and what was said")
local _, first, last = propose(20, 30)
t.equal({ first <= 20, last >= 31, said("]h: line 30") }, { true, true, false }, "near below: both are seen")
before, top = propose(150, 3)
t.equal({ top, said("([h: line 3)") }, { before, true }, "far above")
t.keys("[h")
t.equal(vim.api.nvim_win_get_cursor(0)[1], 3, "the key goes there")

-- The keys of another plugin are not named.
vim.keymap.set("n", "]h", "<Nop>", { buffer = true, desc = "of another" })
vim.cmd("Bodkin discard all")
before, top = propose(5, 152)
t.equal({ top, said("(]k: line 152)") }, { before, true }, "where another plugin has ]h")
