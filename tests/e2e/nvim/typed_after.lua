-- what is typed after a change was decided stays where it is typed: the review does not go on under it
local t = ...
t.write("a.py", "a = 1\nb = 2\nc = 3\nd = 4\ne = 5\n")
t.write("b.py", "b = 1\nc = 2\n")
local reply = t.block("a.py", "a = 1\n", "a = 10\n") .. t.block("a.py", "e = 5\n", "e = 50\n") .. t.block("b.py", "b = 1\n", "b = 10\n")
local s = t.screen({ reply }, nil, nil, 300)
s.open("a.py")
s.keys(":1Bodkin ask Tens<CR>")
s.pending(1)
s.drawn()

-- In insert mode.
s.keys("ggdo")
s.wait("it to be in", "return vim.fn.getline(1) == 'a = 10'")
s.keys("jA # typed")
vim.wait(600)
s.keys(" here<Esc>")
s.wait("what was typed", "return vim.fn.getline(2) == 'b = 2 # typed here'")

-- In the midst of an operator, and in Normal mode, at another place.
s.keys("]h")
s.wait("the next change", "return vim.fn.line('.') == 5")
s.keys("dpkd")
vim.wait(600)
s.keys("dp")
s.wait("a line deleted and put", "return vim.api.nvim_get_mode().mode == 'n'")
t.equal(s.text("a.py"), "a = 10\nb = 2 # typed here\nc = 3\ne = 5\nd = 4\n", "a.py")

-- Without a key, it goes on, to the next file.
s.keys("u") -- the change waits again
s.keys(":Bodkin next<CR>")
s.wait("the next file", "return vim.fn.expand('%:t') == 'b.py'")
s.drawn()
s.keys("do")
s.wait("it to be in", "return vim.fn.getline(1) == 'b = 10'")
t.equal(s.text("b.py"), "b = 10\nc = 2\n", "b.py")
s.stop()
