-- the model sees and edits the unsaved buffer, not the file on disk
local t = ...
t.write("a.py", "old = 1\n")
t.setup({ { expect = { "fresh = 2" }, absent = { "old = 1" },
  reply = { text = t.block("a.py", "fresh = 2\n", "fresh = 3\n"), stop_reason = "end_turn" } } })
t.open("a.py")
vim.api.nvim_buf_set_lines(0, 0, -1, false, { "fresh = 2", "tail = 0" })
vim.cmd("1Bodkin ask One more")
local proposal = t.proposal()
vim.cmd("Bodkin apply")
t.state(proposal, "applied")
t.equal(t.text("a.py"), "fresh = 3\ntail = 0\n", "the buffer")
t.equal(t.read("a.py"), "old = 1\n", "the file on disk")
