-- the proposed text can be edited before it is taken: :write makes a proposal of it that takes the place of the first
local t = ...
t.write("a.py", "x = 1\ny = 2\nz = 3\n")
t.setup({ t.block("a.py", "y = 2\n", "y = 20\n") })
t.open("a.py")
vim.cmd("2Bodkin ask Tens")
local first = t.proposal()
t.end_of_ask()
vim.cmd("Bodkin diff")
t.wait("the preview", function()
  return #vim.api.nvim_list_tabpages() == 2 and #vim.api.nvim_tabpage_list_wins(0) == 2
end)
t.keys("e")
vim.api.nvim_buf_set_lines(0, 1, 2, false, { "y = 21", "# better" })
vim.cmd("write")
local second = t.proposal(2)
t.state(first, "discarded")
t.equal(t.text("a.py"), "x = 1\ny = 2\nz = 3\n", "the file")
t.wait("its preview", function()
  return #vim.api.nvim_list_tabpages() == 2 and vim.api.nvim_buf_get_lines(0, 1, 3, false)[2] == "# better"
end)
t.keys("A")
t.state(second, "applied")
t.equal(t.text("a.py"), "x = 1\ny = 21\n# better\nz = 3\n", "the file in the end")
