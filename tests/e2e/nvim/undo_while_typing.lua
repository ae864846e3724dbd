-- an edit that comes while the user types is a step of its own: an undo takes back either it or what was typed
local t = ...
t.write("a.py", "x = 1\ny = 2\n")
local s = t.screen({ t.block("a.py", "x = 1\n", "x = 10\n") }, { edits = { review = "direct" } }, { trusted = true })
s.open("a.py")
s.lua([[vim.cmd("1Bodkin ask x")]])
s.keys("Gomine = 1")
s.wait("the edit", "return vim.fn.getline(1) == 'x = 10'")
s.keys("<Esc>u")
t.equal(s.text("a.py"), "x = 1\ny = 2\nmine = 1\n", "of two undos one is the edit's")
s.keys("u")
t.equal(s.text("a.py"), "x = 1\ny = 2\n", "the other is that of the typing")
s.stop()
