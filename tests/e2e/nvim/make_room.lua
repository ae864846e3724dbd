-- going to a proposed change closes the window with an answer, and moves that of a running ask away from the cursor
local t = ...
vim.o.columns, vim.o.lines = 80, 24
local lines = {}
for i = 1, 20 do
  lines[i] = ("v%d = %d"):format(i, i)
end
t.write("a.py", table.concat(lines, "\n") .. "\n")
t.setup({ t.block("a.py", "v2 = 2\n", "v2 = 20\n") .. t.block("a.py", "v18 = 18\n", "v18 = 180\n"), "Because it is.",
  { reply = { text = ("tick "):rep(400) .. "done.", stop_reason = "end_turn" }, chunk_bytes = 5, delay_ms = 50 } })
t.open("a.py")

-- The first and the last row of the window with the words, or nil.
local function words_at()
  for _, window in ipairs(vim.api.nvim_tabpage_list_wins(0)) do
    local config = vim.api.nvim_win_get_config(window)
    if config.relative ~= "" then
      local row = type(config.row) == "table" and config.row[false] or config.row
      return row, row + config.height + 1
    end
  end
end

local function next_change()
  vim.cmd("Bodkin next")
  return vim.api.nvim_win_get_position(0)[1] + vim.fn.winline() - 1
end

vim.cmd("2Bodkin ask Larger")
t.proposal()
t.wait("the changes", function()
  return #t.drawn("a.py") > 0
end)
vim.cmd("2Bodkin ask Why?")
t.equal(t.end_of_ask(2)["end"], "answer", "how the ask ended")
t.equal(words_at() ~= nil, true, "whether the answer is shown")
next_change()
t.equal(words_at(), nil, "the window with the answer, at a change")

vim.cmd("1")
vim.cmd("1Bodkin ask Go on")
t.wait("the words", function()
  return t.log():find("tick", 1, true)
end)
for _ = 1, 2 do
  local row = next_change()
  local first, last = words_at()
  t.equal(first ~= nil and (row < first or row > last), true, ("the cursor in row %d, the words in rows %s to %s"):format(row,
    tostring(first), tostring(last)))
end
vim.cmd("Bodkin cancel")
t.equal(t.end_of_ask(3)["end"], "cancelled", "how the last ask ended")
