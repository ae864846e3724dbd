-- what was discarded, rejected or undone comes back by :Bodkin redo, and each message says so
local t = ...
local before = "a = 1\nb = 2\nc = 3\n"
t.write("a.py", before)
t.setup({ t.block("a.py", "a = 1\n", "a = 10\n") .. t.block("a.py", "c = 3\n", "c = 30\n") })
t.open("a.py")
vim.cmd("1Bodkin ask Tens")
local proposal = t.proposal()
local function changes(count)
  t.wait(count .. " changes", function()
    local found = 0
    for _, each in ipairs(t.drawn("a.py")) do
      found = found + (each.deleted and 1 or 0)
    end
    return found == count
  end)
end
changes(2)
vim.cmd("Bodkin discard")
t.state(proposal, "discarded")
t.message("Discarded. (:Bodkin redo)")
changes(0)
vim.cmd("Bodkin apply")
t.message("(:Bodkin redo " .. proposal.id .. ")")
vim.cmd("Bodkin redo")
t.state(proposal, "ready")
changes(2)
vim.cmd("1Bodkin reject")
t.message("Rejected. (:Bodkin redo)")
changes(1)
vim.cmd("Bodkin redo")
changes(2)
-- of what was rejected in two steps the last one comes back, then the one before
t.keys("gg")
vim.cmd("Bodkin reject")
changes(1)
t.keys("G")
vim.cmd("Bodkin reject")
t.state(proposal, "discarded")
changes(0)
vim.cmd("Bodkin redo")
changes(1)
t.contains(t.drawn("a.py")[1].text or t.drawn("a.py")[2].text, "c = 30", "the change that was rejected last")
vim.cmd("Bodkin redo")
changes(2)
vim.cmd("Bodkin apply")
t.state(proposal, "applied")
vim.cmd("Bodkin undo")
t.state(proposal, "discarded")
t.message("Undone. (:Bodkin redo)")
t.equal(t.text("a.py"), before, "the buffer")
vim.cmd("Bodkin redo " .. proposal.id)
t.state(proposal, "applied")
t.equal(t.text("a.py"), "a = 10\nb = 2\nc = 30\n", "the buffer")

-- also what Neovim's own undo has taken back
vim.cmd("silent undo")
t.state(proposal, "discarded")
t.equal(t.text("a.py"), before, "the buffer after u")
vim.cmd("Bodkin redo")
t.state(proposal, "applied")
t.wait("the buffer after a redo", function()
  return t.text("a.py") == "a = 10\nb = 2\nc = 30\n"
end)
