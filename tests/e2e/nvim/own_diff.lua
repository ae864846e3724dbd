-- in a diff of the user's own, do and dp are Vim's, and nothing that is proposed is taken
local t = ...
t.write("a.py", "a = 1\nb = 2\n")
local s = t.screen({ t.block("a.py", "a = 1\n", "a = 10\n") })
s.open("a.py")
s.keys(":1Bodkin ask Ten<CR>")
s.pending(1)
s.drawn()
s.keys(":vnew<CR>:setlocal buftype=nofile<CR>:call setline(1, ['a = 7', 'b = 2'])<CR>:windo diffthis<CR><C-w>lgg")
s.keys("do")
s.wait("what the other window has", "return vim.fn.getline(1) == 'a = 7'")
t.equal(s.text("a.py"), "a = 7\nb = 2\n", "a.py")
s.stop()
