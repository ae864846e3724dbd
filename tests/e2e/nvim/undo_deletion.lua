-- a deleted file that is undone is on the disk again with its text and line ends, and a new file has its text there at once
local t = ...
local function patch(text)
  return "*** Begin Patch\n" .. text .. "*** End Patch\n"
end
t.write("a.py", "x = 1\n")
local contents = { ["unix.txt"] = "a note\nto be deleted\n", ["dos.txt"] = "one\r\ntwo\r\n" }
local turns = {}
local names = { "unix.txt", "dos.txt" }
for _, name in ipairs(names) do
  t.write(name, contents[name])
  table.insert(turns, patch("*** Delete File: " .. name .. "\n"))
end
table.insert(turns, patch("*** Add File: new.py\n+y = 1\n"))
t.setup(turns)
t.open("a.py")
for i, name in ipairs(names) do
  vim.cmd("1Bodkin ask Delete " .. name)
  local proposal = t.proposal(i)
  t.end_of_ask(i)
  vim.cmd("Bodkin apply " .. proposal.id)
  t.state(proposal, "applied")
  t.equal(t.read(name), nil, name .. " is gone")
  vim.cmd("Bodkin undo")
  t.state(proposal, "discarded")
  t.equal(t.read(name), contents[name], name .. " is back")
  t.equal(vim.bo[t.buffer(name)].modified, false, name .. " is saved")
end
vim.cmd("1Bodkin ask Create")
local proposal = t.proposal(3)
t.end_of_ask(3)
vim.cmd("Bodkin apply " .. proposal.id)
t.state(proposal, "applied")
t.equal(t.read("new.py"), "y = 1\n", "the new file")
