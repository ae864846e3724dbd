-- what is left of a proposal is said: lines that have changed, that all was undone; what alone was undone is pending again
local t = ...
local lines = {}
for i = 1, 16 do
  lines[i] = ("v%d = %d"):format(i, i)
end
local before = table.concat(lines, "\n") .. "\n"
t.write("a.py", before)
local four = ""
for _, i in ipairs({ 2, 6, 10, 14 }) do
  four = four .. t.block("a.py", ("v%d = %d\n"):format(i, i), ("v%d = %d\n"):format(i, i * 10)) .. "\n"
end
t.setup({ four, four })
t.open("a.py")
vim.cmd("%Bodkin ask Ten times as much")
local first = t.proposal()
vim.api.nvim_buf_set_lines(0, 1, 2, false, { "v2 = 3" })
local function preview()
  vim.cmd("Bodkin diff")
  t.wait("the preview", function()
    return #vim.api.nvim_list_tabpages() == 2 and #vim.api.nvim_tabpage_list_wins(0) == 2
  end)
end
preview()
t.message("3 of 4 changes; line 2 has changed")
local marks = vim.api.nvim_buf_get_extmarks(t.buffer("a.py"), vim.api.nvim_create_namespace("bodkin_diff"), 0, -1, {})
t.equal(marks[1][2], 1, "the marked line, counted from 0")
vim.cmd("Bodkin apply")
t.told("(line 2 of a.py)")
vim.cmd("tabclose")
t.equal(vim.api.nvim_buf_get_extmarks(t.buffer("a.py"), vim.api.nvim_create_namespace("bodkin_diff"), 0, -1, {}), {},
  "the marks of a preview that is closed")
vim.cmd("Bodkin discard " .. first.id)
t.state(first, "discarded")

vim.api.nvim_buf_set_lines(0, 1, 2, false, { "v2 = 2" })
vim.cmd("%Bodkin ask Ten times as much, again")
local second = t.proposal(2)
preview()
vim.cmd("Bodkin hunk")
t.wait("the first change", function()
  return second.state == "partly" and t.text("a.py") == before:gsub("v2 = 2\n", "v2 = 20\n")
end)
vim.api.nvim_buf_call(t.buffer("a.py"), function()
  vim.cmd("silent undo")
end)
t.wait("the undo", function()
  return second.state == "ready" and second.left == 4
end)
vim.cmd("Bodkin apply")
t.state(second, "applied")
t.equal(t.text("a.py"), (before:gsub("(v%d+ = )(%d+)\n", function(name, i)
  return tonumber(i) % 4 == 2 and name .. i .. "0\n" or nil
end)), "all of it")
vim.cmd("silent undo")
t.state(second, "discarded")
vim.cmd("Bodkin apply")
t.message("(:Bodkin apply " .. second.id .. ")")
