-- a line that is added behind the last one is applied, and leaves no empty line behind it
local t = ...
t.write("a.py", "x = 1\n")
local s = t.screen({ t.block("a.py", "x = 1\n", "x = 1\ny = 2\n") })
s.open("a.py")
s.lua("vim.cmd('1Bodkin ask One more')")
s.pending(1)
s.wait("the change", "return #vim.fn.win_findbuf(vim.fn.bufnr('a.py')) > 0 and require('bodkin.inline').of(vim.fn.bufnr('a.py')) ~= nil")
s.lua("vim.cmd('Bodkin apply')")
s.wait("applied", "return vim.fn.execute('messages'):find('Applied%.') ~= nil")
t.equal(s.lua("return table.concat(vim.api.nvim_buf_get_lines(vim.fn.bufnr([[a.py]]), 0, -1, false), [[,]])"), "x = 1,y = 2", "the buffer")
s.stop()
