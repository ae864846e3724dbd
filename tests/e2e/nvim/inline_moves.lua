-- what is drawn moves with the text while the user types, and what they change is no longer proposed
local t = ...
t.write("a.py", "a = 1\nb = 2\nc = 3\n")
t.setup({ t.block("a.py", "a = 1\n", "a = 10\n") .. t.block("a.py", "c = 3\n", "c = 30\n") })
t.open("a.py")
vim.cmd("%Bodkin ask Tens")
t.proposal()
local function deleted()
  local rows = {}
  for _, each in ipairs(t.drawn("a.py")) do
    if each.deleted then
      table.insert(rows, each.row)
    end
  end
  return rows
end
t.wait("the changes", function()
  return vim.deep_equal(deleted(), { 0, 2 })
end)
t.keys("Oimport os<CR><Esc>")
t.wait("the changes two rows below", function()
  return vim.deep_equal(deleted(), { 2, 4 })
end)
vim.api.nvim_win_set_cursor(0, { 3, 0 })
t.keys("A + 1<Esc>")
vim.api.nvim_exec_autocmds("TextChanged", { buffer = 0 })
t.wait("only the other one", function()
  return vim.deep_equal(deleted(), { 4 })
end)
t.keys("]h")
t.equal(vim.api.nvim_win_get_cursor(0)[1], 5, "the cursor")
t.keys("do")
t.wait("the change", function()
  return t.text("a.py") == "import os\n\na = 1 + 1\nb = 2\nc = 30\n"
end)
