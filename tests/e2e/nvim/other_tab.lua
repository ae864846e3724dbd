-- the words are seen in the tab in which they are asked for, also if their window is open in another one
local t = ...
t.write("a.py", "x = 1\n")
t.setup({ "First.", "Second." })
t.open("a.py")
local function is_seen()
  for _, window in ipairs(vim.api.nvim_tabpage_list_wins(0)) do
    if vim.api.nvim_win_get_buf(window) == require("bodkin.log").buffer() then
      return true
    end
  end
  return false
end
vim.cmd("Bodkin ask First?")
t.end_of_ask(1)
t.equal(is_seen(), true, "the first answer is seen")
vim.cmd("tab split")
vim.cmd("Bodkin ask Second?")
t.end_of_ask(2)
t.equal(is_seen(), true, "the second answer is seen")
