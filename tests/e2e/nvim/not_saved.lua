-- "not saved" names the file whose text is not on the disk, and not one that is neither open nor touched, or not made yet
local t = ...
t.write("b.py", "y = 1\n")
t.write("a.py", "x = 1\n")
t.setup({ t.block("a.py", "x = 1\n", "x = 2\n") .. t.block("b.py", "y = 1\n", "y = 2\n") .. t.block("aa.py", "", "z = 1\n") })
t.open("b.py")
vim.cmd("1Bodkin ask Two")
local proposal = t.proposal()
t.wait("the change", function()
  return #t.drawn("b.py") > 0
end)
for _, hunk in ipairs(proposal.hunks) do
  if hunk.uri == vim.uri_from_bufnr(0) then
    require("bodkin.proposals").apply_hunks(proposal, { hunk.index }) -- it does not go on to the other file, which opens it
  end
end
t.told("b.py is not saved")
t.equal(t.log():find("a.py is not saved", 1, true), nil, "the other files")
