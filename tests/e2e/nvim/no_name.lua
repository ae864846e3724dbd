-- a buffer without a name is asked about with its text, and it is said what has to be done before it can be changed
local t = ...
t.write("b.py", "y = 1\n")
t.setup({
  { expect = { "What is x?", "x = 1" }, reply = { text = "It is **one**.", stop_reason = "end_turn" } },
  { expect = { "x = 1" }, reply = { text = t.block("a.py", "x = 1\n", "x = 2\n"), stop_reason = "end_turn" } },
})
vim.cmd("setfiletype python")
vim.api.nvim_buf_set_lines(0, 0, -1, false, { "x = 1" })
vim.cmd("Bodkin fix")
t.message("no name yet; :w NAME")
vim.cmd("Bodkin ask What is x?")
t.message("edits need :w NAME first")
t.equal(t.end_of_ask()["end"], "answer", "how the question ended")
t.equal({ vim.api.nvim_buf_get_lines(0, 0, -1, false), vim.bo.modified }, { { "x = 1" }, true }, "the text, which nobody has saved")
vim.cmd("silent write " .. t.path("a.py"))
vim.cmd("Bodkin! ask Two")
local proposal = t.proposal()
vim.cmd("Bodkin apply")
t.state(proposal, "applied")
t.equal(t.text("a.py"), "x = 2\n", "the text, with a name")
