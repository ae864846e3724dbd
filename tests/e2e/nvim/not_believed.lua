-- `applied: true` of an editor that did nothing is not believed
local t = ...
local before = "x = 1\ny = 2\n"
t.write("a.py", before)
t.setup({ t.block("a.py", "y = 2\n", "y = 20\n") })
t.open("a.py")
vim.cmd("2Bodkin ask Make y 20")
local proposal = t.proposal()
local asked = 0
require("bodkin.client").of(0).handlers["workspace/applyEdit"] = function()
  asked = asked + 1
  return { applied = true }
end
vim.cmd("Bodkin apply")
local state = t.outcome(proposal)
t.equal(asked, 1, "how often the editor was asked to edit")
t.equal(t.text("a.py"), before, "the buffer")
if state == "applied" then
  t.fail("the proposal is called applied")
end
