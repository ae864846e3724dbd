-- :Bodkin carryout carries out the plan of the last ask, in its conversation; each step says what it changed
local t = ...
t.write("a.py", "x = 1\n")
local call = { id = "c1", name = "edit", arguments = { path = "a.py", old_str = "x = 1", new_str = "x = 2\ny = 3" } }
t.setup({
  "1. Make x two.",
  { expect = { "Make x two", "Carry out the plan" }, reply = { text = "", tool_calls = { call }, stop_reason = "tool_use" } },
  { reply = { text = "Done.", stop_reason = "end_turn" } },
})
t.open("a.py")
vim.cmd("Bodkin carryout")
t.message("no plan to carry out")
vim.cmd("1Bodkin ask /plan Change x")
t.equal(t.end_of_ask(1)["end"], "answer", "how the plan ended")
t.message(":Bodkin carryout")
vim.cmd("Bodkin carryout")
local proposal = t.proposal(1)
t.equal(t.end_of_ask(2)["end"], "proposal", "how carrying it out ended")
local log = table.concat(vim.api.nvim_buf_get_lines(vim.fn.bufnr("bodkin://log"), 0, -1, false), "\n")
t.contains(log, "- a.py +2 −1", "the log")
t.equal(log:find("- Editing", 1, true), nil, "what the step says below it")
vim.cmd("Bodkin apply")
t.state(proposal, "applied")
t.equal(t.text("a.py"), "x = 2\ny = 3\n", "the buffer")
vim.cmd("Bodkin carryout")
t.equal(t.messages[#t.messages]:find("no plan to carry out", 1, true) ~= nil, true, "a plan is carried out once")
