-- of an ask whose edit is left out, since its lines were typed in, that is told, and not what the model says it has done
local t = ...
t.write("a.py", "a = 1\nb = 2\nc = 3\n")
t.setup({ { reply = { text = "I changed b. " .. ("tick "):rep(60) .. "\n" .. t.block("a.py", "b = 2\n", "b = 22\n"), stop_reason = "end_turn" },
  chunk_bytes = 5, delay_ms = 10 } })
t.open("a.py")
vim.cmd("2Bodkin ask More")
t.wait("the reply to come in", function()
  return t.log():find("tick tick", 1, true) ~= nil
end)
vim.api.nvim_buf_set_lines(t.buffer("a.py"), 1, 2, false, { "b = 2  # mine" })
t.equal(t.end_of_ask().overtaken, true, "whether the server knows it")
t.message("1 edit of a.py was left out")
for _, message in ipairs(t.messages) do
  t.equal(message:find("I changed b", 1, true), nil, "a claim in what is told: " .. message)
end
t.contains(t.log(), "Left out after", "the log")
t.equal(t.text("a.py"), "a = 1\nb = 2  # mine\nc = 3\n", "a.py")
