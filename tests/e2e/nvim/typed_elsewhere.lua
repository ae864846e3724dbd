-- typing elsewhere in the file does not spoil a proposal: its edit moves along
local t = ...
t.write("a.py", "x = 1\ny = 2\nz = 3\n")
t.setup({ t.block("a.py", "z = 3\n", "z = 30\n") })
t.open("a.py")
vim.cmd("3Bodkin ask Make z 30")
local proposal = t.proposal()
vim.api.nvim_buf_set_lines(0, 0, 0, false, { "import os", "" })
vim.cmd("Bodkin apply")
t.state(proposal, "applied")
t.equal(t.text("a.py"), "import os\n\nx = 1\ny = 2\nz = 30\n", "the buffer")
