-- a badly indented SEARCH block lands at the right place with the file's own indentation
local t = ...
t.write("a.py", "class A:\n    def f(self):\n        if self.x:\n            return 1\n        return 2\n")
t.setup({ t.block("a.py", "if self.x:\n    return 1\n", "if self.x > 0:\n    return 1\n") })
t.open("a.py")
vim.cmd("2,5Bodkin ask Only positive x")
local proposal = t.proposal()
vim.cmd("Bodkin apply")
t.state(proposal, "applied")
t.equal(t.text("a.py"),
  "class A:\n    def f(self):\n        if self.x > 0:\n            return 1\n        return 2\n", "the buffer")
