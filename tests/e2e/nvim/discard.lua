-- a discarded proposal leaves no trace and cannot be applied any more
local t = ...
local before = "x = 1\ny = 2\n"
t.write("a.py", before)
t.setup({ t.block("a.py", "y = 2\n", "y = 20\n"), t.block("a.py", "y = 2\n", "y = 21\n") })
t.open("a.py")
vim.cmd("2Bodkin ask Make y 20")
local proposal = t.proposal()
vim.cmd("Bodkin discard")
t.state(proposal, "discarded")
vim.cmd("Bodkin apply")
t.message("was discarded")
t.equal(t.text("a.py"), before, "the buffer")
t.equal(vim.bo.modified, false, "modified")
t.wait("bodkin's own diagnostics to go", function()
  return #vim.diagnostic.get(0) == 0
end)

-- All of them: it is said once, and they come back one by one.
vim.cmd("2Bodkin new Twenty")
t.proposal(2)
t.end_of_ask(2)
local said = #t.messages
vim.cmd("Bodkin redo")
t.state(proposal, "ready")
vim.cmd("Bodkin discard all")
t.message("2 proposals discarded (:Bodkin redo)")
t.equal(#require("bodkin.proposals").pending(), 0, "how many are pending")
for number = said + 1, #t.messages do
  t.equal(t.messages[number]:find("^Discarded"), nil, "a message for each")
end
for left = 1, 2 do
  vim.cmd("Bodkin redo")
  t.wait(left .. " to be back", function()
    return #require("bodkin.proposals").pending() == left
  end)
end
