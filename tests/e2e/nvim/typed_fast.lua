-- keys typed while a change is being taken do nothing, and it is said; what was checked later hides no refusal
local t = ...
t.write("a.py", "a = 1\nb = 2\nc = 3\nd = 4\ne = 5\n")
t.setup({ t.block("a.py", "a = 1\n", "a = 10\n") .. t.block("a.py", "c = 3\n", "c = 30\n") .. t.block("a.py", "e = 5\n", "e = 50\n") })
t.open("a.py")
vim.cmd("1Bodkin ask Tens")
local proposal = t.proposal()
t.end_of_ask()
t.wait("the changes", function()
  return #t.drawn("a.py") > 0
end)
t.keys("ggdododo")
t.message("Applied. Keys typed meanwhile were ignored.")
t.equal(t.text("a.py"), "a = 10\nb = 2\nc = 3\nd = 4\ne = 5\n", "one change was taken")
t.wait("it to be open again", function()
  return proposal.state == "partly"
end)
require("bodkin.client").warn("something was refused")
local count = #t.messages
require("bodkin.proposals").change({ proposalId = proposal.id, state = "partly", pending = 2, message = "Applied. Not checked: as an example." })
t.equal(#t.messages, count, "the messages after the refusal")
t.contains(t.log(), "Not checked: as an example", "the log")
