-- a verdict that comes late takes the place of the message that nothing was checked, unless another one came since
local t = ...
if vim.fn.executable("clangd") == 0 then
  t.skip("clangd is not installed")
end
vim.fn.writefile({ '{"bodkin.verify.servers": {"cpp": {"command": ["clangd"]}}}' }, vim.env.XDG_CONFIG_HOME .. "/bodkin/settings.json")
t.write("a.cpp", "int f() {\n  return 1;\n}\n")
t.setup()
t.open("a.cpp")
local function reply(value)
  vim.fn.setreg("a", t.block("a.cpp", "  return 1;\n", ("  return %s;\n"):format(value)))
  vim.cmd("Bodkin reply a")
end
reply(2)
t.message("? only the syntax was checked; 1 change in 1 file (:Bodkin diff)")
t.message("✓ clangd: no new errors; 1 change in 1 file (:Bodkin diff)")
vim.cmd("Bodkin discard")
t.message("Discarded.")
reply(3)
local proposal = t.proposal(2)
t.contains(t.messages[#t.messages], "? only the syntax was checked; 1 change in 1 file", "the message")
require("bodkin.client").notify("something else")
t.wait("the verdict", function()
  return require("bodkin.proposals").by_id(proposal.proposalId or proposal.id).verification.state == "clean"
end)
t.equal(t.messages[#t.messages], "bodkin: something else", "the last message")
