-- :Bodkin restart while a model is asked: it is said, and :Bodkin retry asks the new server
local t = ...
local function plays(turn)
  vim.fn.writefile({ vim.fn.json_encode({ name = "scenario", turns = { turn } }) }, vim.env.WORK .. "-replay.json")
end
t.write("a.py", "x = 1\n")
t.setup({ { reply = { text = ("tick "):rep(600) .. "end.", stop_reason = "end_turn" }, chunk_bytes = 5, delay_ms = 20 } })
t.open("a.py")
vim.cmd("1Bodkin ask What was typed")
t.wait("words", function()
  return t.log():find("tick tick", 1, true)
end)
plays({ expect = { "What was typed" }, reply = { text = "Done again.", stop_reason = "end_turn" } })
vim.cmd("Bodkin restart")
t.message("the server was restarted (:Bodkin retry)")
vim.cmd("Bodkin retry")
t.wait("the answer", function()
  return t.log():find("Done again.", 1, true)
end)
t.message("bodkin: Done again.") -- it has ended, too
vim.cmd("Bodkin restart")
t.wait("the second restart", function()
  return t.messages[#t.messages] == "bodkin: the server was restarted"
end)
