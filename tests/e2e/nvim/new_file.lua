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

-- Where only a new file is proposed nothing is drawn in the open one: what is shown instead is named.
vim.fn.setreg("a", t.block("c.py", "", "c = 1\n"))
vim.cmd("buffer " .. t.buffer("a.py"))
vim.cmd("Bodkin reply a")
t.proposal(2)
vim.cmd("Bodkin accept")
t.message("no changes are proposed for this file (:Bodkin next)")
vim.cmd("Bodkin next")
t.wait("the new file to be shown", function()
  return vim.api.nvim_buf_get_lines(0, 0, 1, false)[1] == "c = 1"
end)
