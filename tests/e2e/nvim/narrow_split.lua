-- in a window of 40 columns what stands below a change is broken between its words
local t = ...
vim.o.columns, vim.o.lines = 80, 24
t.write("a.py", "x = 1\ny = 2\n")
t.setup({ t.block("a.py", "x = 1\n", "x = 10\n") })
t.open("a.py")
vim.cmd("vsplit")
vim.cmd("1Bodkin ask Larger")
t.proposal()
t.wait("the change", function()
  return #t.drawn("a.py") > 0
end)
local function below()
  local rows = {}
  for _, line in ipairs(t.drawn("a.py")) do
    if line.text and line.groups[1] == "BodkinHint" then
      t.equal(vim.fn.strdisplaywidth(line.text) <= 39, true, "a row fits: " .. line.text)
      table.insert(rows, vim.trim(line.text))
    end
  end
  return table.concat(rows, "  ")
end
local words = below()
for _, each in ipairs({ "1/1", "do accept", "dp reject", "]h next", "dD diff" }) do
  t.contains(words, each, "the rows")
end

-- A verdict with many words, too.
vim.fn.setline(2, "y = 3")
t.wait("the older verdict, or that of the text now", function()
  return below() ~= words or below():find("not checked", 1, true)
end)
below()
