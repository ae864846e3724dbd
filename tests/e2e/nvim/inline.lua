-- pending changes are drawn in the file, taken and refused there one by one, and after the last the next file comes
local t = ...
local before = "a = 1\nb = 2\nc = 3\nd = 4\ne = 5\nf = 6\n"
t.write("a.py", before)
t.write("b.py", "z = 1\n")
t.setup({
  t.block("a.py", "a = 1\n", "a = 10\n") .. t.block("a.py", "c = 3\n", "") .. t.block("a.py", "e = 5\n", "e = 5\ne2 = 55\n")
    .. t.block("b.py", "z = 1\n", "z = 10\n"),
})
t.open("a.py")
vim.cmd("%Bodkin ask Other numbers")
local proposal = t.proposal()
local function drawn()
  return t.drawn("a.py")
end
local function rows()
  local deleted, added = {}, {}
  for _, each in ipairs(drawn()) do
    if each.deleted then
      table.insert(deleted, each.row)
    elseif each.groups[1] == "BodkinAdd" or each.groups[1] == "BodkinChange" then
      table.insert(added, each.row .. ":" .. each.text)
    end
  end
  table.sort(deleted)
  return deleted, added
end
t.wait("the drawn changes", function()
  return #drawn() > 0
end)
local deleted, added = rows()
t.equal(deleted, { 0, 2 }, "the rows of removed lines")
t.equal(added, { "0:a = 10", "4:e2 = 55" }, "the added lines, below their rows")
local foot = vim.tbl_filter(function(each)
  return not each.deleted and each.groups[1] == "BodkinHint"
end, drawn())
t.equal(#foot, 3, "the words at each change")
t.contains(foot[1].text, "1/3, file 1 of 2  ? only syntax", "what was checked")
t.contains(foot[1].text, "do accept  dp reject", "the keys")
t.equal(t.text("a.py"), before, "the text")

vim.api.nvim_win_set_cursor(0, { 2, 0 })
t.keys("]h")
t.equal(vim.api.nvim_win_get_cursor(0)[1], 3, "]h")
t.keys("[h")
t.equal(vim.api.nvim_win_get_cursor(0)[1], 1, "[h")
vim.api.nvim_win_set_cursor(0, { 2, 0 })
t.keys("do")
t.message("no change under the cursor; ]h goes to the next one")
t.keys("]h")
t.keys("do")
t.wait("the deletion", function()
  return t.text("a.py") == before:gsub("c = 3\n", "")
end)
t.wait("the cursor at the next change", function()
  return vim.api.nvim_win_get_cursor(0)[1] == 4
end)
vim.cmd("Bodkin prev")
t.equal(vim.api.nvim_win_get_cursor(0)[1], 1, ":Bodkin prev")
t.keys("dp")
t.wait("one change to be left", function()
  local gone, left = rows()
  return #gone == 0 and #left == 1
end)
t.wait("the cursor at the last change", function()
  return vim.api.nvim_win_get_cursor(0)[1] == 4
end)
vim.cmd("Bodkin accept")
t.wait("the other file", function()
  return vim.api.nvim_get_current_buf() == t.buffer("b.py") and #t.drawn("b.py") > 0
end)
t.equal(t.text("a.py"), "a = 1\nb = 2\nd = 4\ne = 5\ne2 = 55\nf = 6\n", "what was taken")
vim.cmd("Bodkin accept all")
t.wait("the rest", function()
  return t.text("b.py") == "z = 10\n"
end)
t.wait("nothing to be drawn, and the keys to go", function()
  return #t.drawn("b.py") == 0 and vim.fn.maparg("dO", "n") == "" and vim.fn.maparg("]h", "n") == ""
end)
t.keys("do") -- once too often: Vim would say E99
t.message("nothing is proposed here any more")
t.equal(proposal.state == "applied" or proposal.state == "partly", true, "the state: " .. proposal.state)
