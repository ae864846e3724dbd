-- an edit that comes while lines are selected is put off: the begin of a selection does not move with its lines
local t = ...
t.write("a.py", "a = 1\nb = 2\nc = 3\nd = 4\ne = 5\nf = 6\n")
local s = t.screen({ t.block("a.py", "a = 1\n", "a = 10\nnew = 1\nnew = 2\n") })
s.open("a.py")
s.keys(":1Bodkin ask Ten<CR>")
s.pending(1)
s.drawn()
s.lua([[
  local client = require("bodkin.client").of(vim.api.nvim_get_current_buf())
  local ours = client.handlers["workspace/applyEdit"]
  client.handlers["workspace/applyEdit"] = function(...)
    vim.cmd("normal! 4GVj") -- what was typed by then
    client.handlers["workspace/applyEdit"] = ours
    return ours(...)
  end
]])
s.keys(":Bodkin apply<CR>")
s.wait("a word", "return vim.fn.execute('messages'):find('not applied yet: a.py has a selection', 1, true) ~= nil")
s.keys("d")
s.wait("it to be in", "return vim.fn.getline(1) == 'a = 10'")
t.equal(s.text("a.py"), "a = 10\nnew = 1\nnew = 2\nb = 2\nc = 3\nf = 6\n", "a.py")
s.stop()
