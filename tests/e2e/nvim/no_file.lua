-- a question about the folder needs no file: it is asked from an empty buffer, which starts the server and stays empty
local t = ...
t.write("a.py", "x = 1\n")
t.setup({
  { expect = { "What is in here?" }, reply = { text = "One **file**.", stop_reason = "end_turn" } },
  { expect = { "Which one?", "One **file**." }, reply = { text = "It is a.py.", stop_reason = "end_turn" } },
  { reply = { text = t.block("a.py", "x = 1\n", "x = 2\n"), stop_reason = "end_turn" } },
})
vim.cmd("Bodkin mode") -- the first command, and nothing was opened
t.message("the mode is confirm")
vim.cmd("Bodkin ask What is in here?")
t.equal(t.end_of_ask()["end"], "answer", "how the question ended")
t.contains(t.log(), "What is in here?\n*this folder", "the head of the block")
t.equal(require("bodkin.client").of(0), nil, "the empty buffer's server")
vim.cmd("Bodkin! ask Which one?")
t.equal(t.end_of_ask(2)["end"], "answer", "how the next question ended")
vim.cmd("Bodkin! ask Two")
local proposal = t.proposal()
t.end_of_ask(3)
vim.cmd("Bodkin apply " .. proposal.id)
t.state(proposal, "applied")
t.equal(t.text("a.py"), "x = 2\n", "the file, by an ask without one")
t.open("a.py")
t.equal(#require("bodkin.client").all(), 1, "the servers")

-- A listing of a folder is neither a file nor one that has no name yet.
vim.cmd("edit " .. vim.fn.fnameescape(vim.env.WORK))
vim.cmd("Bodkin fix")
t.message("this is a folder; open one of its files")
