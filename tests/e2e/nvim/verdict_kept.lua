-- after a restart what a server had found is called that, where it is drawn and when it is taken
local t = ...
if vim.fn.executable("clangd") == 0 then
  t.skip("clangd is not installed")
end
vim.fn.writefile({ '{"bodkin.verify.servers": {"cpp": {"command": ["clangd"]}}}' }, vim.env.XDG_CONFIG_HOME .. "/bodkin/settings.json")
t.write("a.cpp", "int f() {\n  return 1;\n}\n")
t.setup({ t.block("a.cpp", "  return 1;\n", "  return 2;\n") })
t.open("a.cpp")
vim.cmd("2Bodkin ask Two")
t.contains(t.proposal().verification.words, "✓ clangd: no new errors", "what was checked")
t.end_of_ask()
vim.cmd("Bodkin restart")
local proposal = t.proposal(2)
t.equal(proposal.verification.words, "? checked before a restart (clangd: no new errors)", "what was checked, after the restart")
vim.cmd("Bodkin apply " .. proposal.id)
t.state(proposal, "applied")
t.told("Applied. Checked only before a restart: clangd: no new errors.")
