-- in the preview ]c, a and, in the file, do mean the same change, also if it only removes or only adds lines
local t = ...
local before = "a = 1\nb = 2\nc = 3\nd = 4\ne = 5\nf = 6\n"
t.write("a.py", before)
local turn = t.block("a.py", "b = 2\n", "") .. t.block("a.py", "d = 4\n", "d = 4\nd2 = 44\n") .. t.block("a.py", "f = 6\n", "")
t.setup({ turn, turn, turn })
t.open("a.py")
local function begin(count)
  vim.cmd("%Bodkin new Other lines")
  local proposal = t.proposal(count)
  vim.cmd("Bodkin diff")
  t.wait("the preview", function()
    return #vim.api.nvim_list_tabpages() == 2 and #vim.api.nvim_tabpage_list_wins(0) == 2
  end)
  return proposal
end
local function after(text, what)
  t.wait(what, function()
    return t.text("a.py") == text
  end)
end
local proposal = begin(1)
t.equal(vim.api.nvim_win_get_cursor(0)[1], 2, "the line of the first change: below what is removed")
t.keys("a")
after(before:gsub("b = 2\n", ""), "a takes the deletion")
t.wait("the proposal to be open again", function()
  return require("bodkin.proposals").is_open(proposal)
end)
vim.cmd("Bodkin discard")
t.wait("the rest to be refused", function()
  return not require("bodkin.proposals").is_open(proposal) and #vim.api.nvim_list_tabpages() == 1
end)
vim.cmd("silent undo")
after(before, "the text of before")

proposal = begin(2)
vim.cmd("normal! G")
t.keys("a") -- below the last line
after(before:gsub("f = 6\n", ""), "a takes the deletion at the end")
t.wait("the proposal to be open again", function()
  return require("bodkin.proposals").is_open(proposal) and #vim.api.nvim_tabpage_list_wins(0) == 2
end)
vim.cmd("wincmd h")
t.equal(vim.api.nvim_get_current_buf(), t.buffer("a.py"), "the left side")
vim.cmd("normal! gg")
vim.cmd("normal! ]c")
t.keys("do") -- the server places it, as everywhere
after("a = 1\nc = 3\nd = 4\ne = 5\n", "do in the file takes the change, too")
vim.cmd("Bodkin discard")
t.wait("the preview to close", function()
  return #vim.api.nvim_list_tabpages() == 1
end)
