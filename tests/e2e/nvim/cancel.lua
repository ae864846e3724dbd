-- :Bodkin cancel in the middle of a reply ends the ask and nothing is proposed
local t = ...
local before = "x = 1\ny = 2\n"
t.write("a.py", before)
local slow = t.block("a.py", "y = 2\n", "y = 20\n") .. ("And so on. "):rep(2000)
t.setup({ { reply = { text = slow, stop_reason = "end_turn" }, chunk_bytes = 8, delay_ms = 20 } })
t.open("a.py")
local log = require("bodkin.log")
local streamed = 0
local stream = log.stream
log.stream = function(params)
  streamed = streamed + 1
  stream(params)
end
vim.cmd("2Bodkin ask Make y 20")
t.wait("the reply to begin", function()
  return streamed > 3
end)
vim.cmd("Bodkin cancel")
t.equal(t.end_of_ask()["end"], "cancelled", "how the ask ended")
t.contains(t.log(), "*Cancelled after", "the log")
t.equal(t.log():find("Cancelled.", 1, true), nil, "the same again, among the model's words")
t.equal(t.proposals(), 0, "the number of proposals")
t.equal(t.text("a.py"), before, "the buffer")
t.wait("the status to be idle", function()
  return require("bodkin.status").get().state == "idle" and require("bodkin").statusline() == ""
end)

-- What was cancelled is what is sent again.
t.message(":Bodkin retry")
vim.cmd("Bodkin retry")
t.wait("the same ask", function()
  local _, count = t.log():gsub("## [%d:]+ Make y 20", "")
  return count == 2
end)
vim.cmd("Bodkin cancel")
t.equal(t.end_of_ask(2)["end"], "cancelled", "how it ended")
