-- a proposal for several files, one of them not open, is applied to all of them
local t = ...
t.write("a.py", "from b import two\n\nprint(two())\n")
t.write("lib/b.py", "def two():\n    return 2\n")
t.setup({ t.block("a.py", "print(two())\n", "print(three())\n") .. t.block("lib/b.py", "def two():\n    return 2\n",
  "def three():\n    return 3\n") .. t.block("a.py", "from b import two\n", "from b import three\n") })
t.open("a.py")
vim.cmd("%Bodkin ask Three, not two")
local proposal = t.proposal()
t.equal(#proposal.uris, 2, "the number of files")
vim.cmd("Bodkin apply")
t.state(proposal, "applied")
t.equal(t.text("a.py"), "from b import three\n\nprint(three())\n", "the open buffer")
t.equal(t.text("lib/b.py"), "def three():\n    return 3\n", "the file that was not open")
vim.cmd("silent wall")
t.equal(t.read("lib/b.py"), "def three():\n    return 3\n", "the file on disk")
