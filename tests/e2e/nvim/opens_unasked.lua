-- the keys that were on their way when a preview opens by itself neither take nor drop anything in it
local t = ...
t.write("a.py", "x = 1\ny = 2\n")
local s = t.screen({ t.block("a.py", "x = 1\n", "x = 10\n") }, nil, { open_diff = true })
s.open("a.py")
s.keys(":1Bodkin ask Ten<CR>")
s.wait("the preview", "return #vim.api.nvim_list_tabpages() == 2 and vim.wo.diff")
s.keys("A") -- meant for the end of a line
s.wait("a word", "return vim.fn.execute('messages'):find('came up just now; nothing was done', 1, true) ~= nil")
t.equal(s.text("a.py"), "x = 1\ny = 2\n", "a.py")
s.keys("A")
s.wait("it to be in", "return vim.fn.getbufline(vim.fn.bufnr('a.py'), 1)[1] == 'x = 10'")
s.stop()
