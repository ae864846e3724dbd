-- the preview shows the proposal beside the buffer, and its changes are taken one by one
local t = ...
local lines = {}
for i = 1, 40 do
  lines[i] = ("v%d = %d"):format(i, i)
end
local before = table.concat(lines, "\n") .. "\n"
t.write("a.py", before)
t.setup({
  t.block("a.py", "v3 = 3\n", "v3 = 33\n# three\n") .. t.block("a.py", "v20 = 20\n", "v20 = 200\n")
    .. t.block("a.py", "v37 = 37\n", "v37 = 370\n"),
})
t.open("a.py")
vim.cmd("%Bodkin ask Other numbers")
local proposal = t.proposal()
vim.cmd("Bodkin diff")
t.wait("the preview", function()
  return #vim.api.nvim_list_tabpages() == 2 and #vim.api.nvim_tabpage_list_wins(0) == 2
end)
for _, window in ipairs(vim.api.nvim_tabpage_list_wins(0)) do
  t.equal(vim.api.nvim_win_get_option(window, "diff"), true, "diff mode")
end
local proposed = vim.api.nvim_buf_get_lines(0, 0, -1, false)
t.equal(#proposed, 41, "the lines of the proposed text")
t.equal({ proposed[3], proposed[4], proposed[21], proposed[38] }, { "v3 = 33", "# three", "v20 = 200", "v37 = 370" },
  "the proposed text")
t.equal(t.text("a.py"), before, "the buffer")

-- The second change only: line 21 of the proposed text.
vim.api.nvim_win_set_cursor(0, { 21, 0 })
vim.cmd("Bodkin hunk")
t.wait("the second change", function()
  return t.text("a.py") == before:gsub("v20 = 20\n", "v20 = 200\n")
end)
t.wait("the proposal to be open again", function()
  return require("bodkin.proposals").is_open(proposal)
end)
t.wait("the cursor to be at the next change", function()
  return vim.api.nvim_win_get_cursor(0)[1] == 38
end)
-- The rest, as a whole.
vim.cmd("Bodkin apply")
t.state(proposal, "applied")
t.equal(t.text("a.py"), (before:gsub("v20 = 20\n", "v20 = 200\n"):gsub("v3 = 3\n", "v3 = 33\n# three\n")
  :gsub("v37 = 37\n", "v37 = 370\n")), "the buffer in the end")
t.wait("the preview to close", function()
  return #vim.api.nvim_list_tabpages() == 1
end)
