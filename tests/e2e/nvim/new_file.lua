-- a proposal can create a file beside a change of the open one
local t = ...
t.write("a.py", "print(1)\n")
t.setup({ t.block("a.py", "print(1)\n", "import b\nprint(b.one())\n") .. t.block("b.py", "", "def one():\n    return 1\n") })
t.open("a.py")
vim.cmd("%Bodkin ask Move it to b.py")
local proposal = t.proposal()
t.equal(t.read("b.py"), nil, "the new file before the proposal is taken")
vim.cmd("Bodkin apply")
t.state(proposal, "applied")
vim.cmd("silent wall")
t.equal(t.read("a.py"), "import b\nprint(b.one())\n", "the changed file")
t.equal(t.read("b.py"), "def one():\n    return 1\n", "the new file")
