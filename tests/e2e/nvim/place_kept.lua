-- after a preview the tab, window and cursor are those of before, also with 'nohidden' and a changed file
local t = ...
t.write("a.py", "x = 1\ny = 2\n")
t.write("b.py", "z = 3\n")
t.setup({ t.block("a.py", "y = 2\n", "y = 20\n") .. t.block("b.py", "z = 3\n", "z = 30\n") })
t.open("a.py")
vim.opt.hidden = false
vim.api.nvim_buf_set_lines(0, 0, 1, false, { "x = 1  # unsaved" })
vim.cmd("split")
vim.cmd("tabnew")
vim.cmd("tabnext 1")
vim.cmd("wincmd j")
vim.api.nvim_win_set_cursor(0, { 2, 3 })
local function place()
  return { vim.api.nvim_get_current_tabpage(), vim.api.nvim_get_current_win(), vim.api.nvim_win_get_cursor(0) }
end
local here = place()
vim.cmd("%Bodkin ask Tens")
local proposal = t.proposal()
local function preview(command)
  vim.cmd("Bodkin " .. command)
  t.wait("the preview", function()
    return #vim.api.nvim_list_tabpages() == 3
  end)
end
preview("diff")
t.keys("q")
t.equal(place(), here, "the place after q")
preview("diff")
t.keys("]f")
t.wait("the other file", function()
  return vim.api.nvim_buf_get_lines(0, 0, -1, false)[1] == "z = 30"
end)
t.keys("A")
t.state(proposal, "applied")
t.wait("the place after the apply: " .. vim.inspect(place()) .. vim.inspect(here), function()
  local now = place()
  return now[1] == here[1] and now[2] == here[2] and now[3][1] == here[3][1]
end)
t.equal(t.text("a.py"), "x = 1  # unsaved\ny = 20\n", "the file")
t.equal(vim.v.errmsg, "", "the error")
vim.opt.hidden = true
