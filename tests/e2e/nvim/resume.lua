-- :Bodkin resume chooses a session of before a restart, which :Bodkin! ask goes on with; undo and apply reach back, too
local t = ...
t.write("a.py", "x = 1\ny = 2\n")
t.setup({ t.block("a.py", "x = 1\n", "x = 10\n") })
t.open("a.py")
vim.cmd("1Bodkin ask Make x ten")
local first = t.proposal(1)
t.end_of_ask(1)
vim.cmd("Bodkin apply")
t.state(first, "applied")
vim.cmd("write")
vim.fn.writefile({ vim.fn.json_encode({ name = "scenario", turns = { {
  expect = { "Make x ten", "And y, too" },
  reply = { text = t.block("a.py", "y = 2\n", "y = 20\n"), stop_reason = "end_turn" },
} } }) }, vim.env.WORK .. "-replay.json")
local before = require("bodkin.client").of(0).id
vim.cmd("Bodkin restart")
t.message("was restarted")
t.wait("the new server", function()
  local client = require("bodkin.client").of(t.buffer("a.py"))
  return client and client.id ~= before and client.initialized
end)
local offered
vim.ui.select = function(items, options, choose)
  offered = options.format_item(items[1])
  choose(items[1])
end
vim.cmd("Bodkin resume")
t.message("goes on with")
t.contains(offered, "Make x ten", "the session")
t.wait("what was said in it", function()
  return t.log():find("Session “Make x ten”", 1, true) and t.log():find("a.py", 1, true)
end)
vim.cmd("2Bodkin! ask And y, too")
t.proposal(2)
t.end_of_ask(2)
vim.cmd("Bodkin discard")
vim.cmd("Bodkin undo " .. first.id)
t.wait("the undo", function()
  return t.text("a.py") == "x = 1\ny = 2\n"
end)
