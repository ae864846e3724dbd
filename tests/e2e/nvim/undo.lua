-- :Bodkin undo takes back what was applied last, with the file that it created; it is rejected then
local t = ...
local before = "def area(r):\n    return 3 * r * r\n"
local after = "from pi import PI\n\n\ndef area(r):\n    return PI * r * r\n"
t.write("a.py", before)
local create = "pi.py\n<<<<<<< SEARCH\n=======\nPI = 3\n>>>>>>> REPLACE\n\n"
t.setup({
  create .. t.block("a.py", "def area(r):\n    return 3 * r * r\n", after),
})
t.open("a.py")
vim.cmd("Bodkin undo")
t.message("Nothing to undo")
vim.cmd("1,2Bodkin ask Give pi a name")
local proposal = t.proposal()
vim.cmd("Bodkin apply")
t.state(proposal, "applied")
t.equal(t.text("a.py"), after, "the buffer after apply")
vim.cmd("silent wall")
t.equal(t.read("pi.py"), "PI = 3\n", "the new file")
vim.cmd("Bodkin undo")
t.state(proposal, "discarded")
t.message("Undone.")
t.equal(t.text("a.py"), before, "the buffer after undo")
t.equal(t.read("pi.py"), nil, "the new file after undo")

-- Without an id nothing older is meant than the newest, and that is over.
vim.cmd("Bodkin apply")
t.message("(:Bodkin apply " .. proposal.id .. ")")
t.equal(t.text("a.py"), before, "the buffer after an apply without an id")
vim.cmd("Bodkin apply " .. proposal.id)
t.state(proposal, "applied")
t.equal(t.text("a.py"), after, "the buffer after it was applied again")
vim.cmd("Bodkin undo " .. proposal.id)
t.state(proposal, "discarded")
