-- a second ask about a file waits for the first one of its conversation, which is said, and knows it
local t = ...
t.write("a.py", "x = 1\n")
t.setup({ { reply = { text = ("tick "):rep(40) .. "one.", stop_reason = "end_turn" }, chunk_bytes = 5, delay_ms = 10 },
  { expect = { "First?", "tick tick" }, reply = { text = "Two.", stop_reason = "end_turn" } } })
t.open("a.py")
vim.cmd("1Bodkin ask First?")
t.wait("the first words", function()
  return t.log():find("tick", 1, true)
end)
vim.cmd("1Bodkin ask Second?")
t.equal(#t.ended, 0, "the asks that have ended")
t.message("queued until the previous ask is done")
t.contains(t.log(), "It waits until the previous ask is done", "the log")
for _, message in ipairs(t.messages) do
  t.equal(message:find("working on it", 1, true) == nil or message == t.messages[1], true, "what is said to be sent: " .. message)
end
t.equal({ t.end_of_ask(1)["end"], t.end_of_ask(2).message }, { "answer", "Two." }, "the asks, in their order")
t.equal(t.ended[1].sessionId, t.ended[2].sessionId, "the conversation")
t.contains(t.log(), ("tick "):rep(40) .. "one.\n", "the first words, whole")
