-- a count goes over so many changes, and takes or refuses so many; no word of the log is marked as an error
local t = ...
local before = ""
local blocks = {}
for number = 1, 6 do
  before = before .. ("v%d = 1\n-\n"):format(number)
  table.insert(blocks, t.block("a.txt", ("v%d = 1\n"):format(number), ("v%d = 2\n"):format(number)))
end
t.write("a.txt", before)
t.setup({ table.concat(blocks) })
t.open("a.txt")
vim.cmd("1Bodkin ask Twos")
local proposal = t.proposal()
t.end_of_ask()
require("bodkin.window").close()
local function left(count)
  t.wait(count .. " changes left", function()
    local _, hunks = require("bodkin.inline").of(t.buffer("a.txt"))
    return #(hunks or {}) == count and not proposal.is_deciding
  end)
end
left(6)
local function line()
  return vim.fn.line(".")
end
t.keys("gg2]h")
t.equal(line(), 5, "after 2]h from the first change")
t.keys("[h")
t.equal(line(), 3, "after [h")
t.keys("9]h")
t.equal(line(), 11, "after 9]h: the last change")
t.keys("3[h")
t.equal(line(), 5, "after 3[h")
t.keys("2do")
left(4)
local function taken()
  local result = {}
  for number = 1, 6 do
    result[number] = vim.fn.getline(2 * number - 1):match("%d$") == "2"
  end
  return result
end
t.equal(taken(), { false, false, true, true, false, false }, "what 2do has taken")
t.keys("gg2dp")
left(2)
t.equal(taken(), { false, false, true, true, false, false }, "what is in the file after 2dp")
t.equal(line(), 9, "the cursor is at the next change")
t.keys("2do")
t.state(proposal, "applied")
t.equal(taken(), { false, false, true, true, true, true }, "all that was taken")

require("bodkin.log").line("read_file was called")
local buffer = require("bodkin.log").buffer()
vim.cmd("syntax on")
vim.cmd("sbuffer " .. buffer)
vim.cmd("set filetype=bodkin")
local row = vim.fn.search("read_file")
for column = 1, #vim.fn.getline(row) do
  local name = vim.fn.synIDattr(vim.fn.synID(row, column, 1), "name")
  t.equal(name:find("Error"), nil, "the group of " .. vim.fn.getline(row):sub(column, column))
end
