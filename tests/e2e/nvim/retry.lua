-- an ask that fails is not lost: it stands in the log, and :Bodkin retry sends it again
local t = ...
local function plays(turn)
  vim.fn.writefile({ vim.fn.json_encode({ name = "scenario", turns = { turn } }) }, vim.env.WORK .. "-replay.json")
end
t.write("a.py", "x = 1\n")
t.setup({ "Nothing." })
t.open("a.py")
vim.cmd("Bodkin retry")
t.message("nothing has failed")
plays({ error = { kind = "invalid_request", message = "Nobody is there.", status = 400 } })
vim.cmd("1Bodkin ask Make x\tten")
t.equal(t.end_of_ask(1)["end"], "failed", "the end of the first ask")
t.message("(:Bodkin retry)")
t.contains(t.log(), "Nobody is there", "the log")
plays({ expect = { "Make x\tten" }, reply = { text = t.block("a.py", "x = 1\n", "x = 10\n"), stop_reason = "end_turn" } })
vim.cmd("Bodkin retry")
t.proposal()
t.equal(t.end_of_ask(2)["end"], "proposal", "the end of the second")
