-- a proposal is drawn while it is still checked, and its verdict follows in place
local t = ...
if vim.fn.executable("clangd") == 0 then
  t.skip("clangd is not installed")
end
local folder = vim.fn.tempname()
vim.fn.mkdir(folder, "p")
-- It answers nothing until it is let go.
vim.fn.writefile({ "#!/bin/sh", ("while [ ! -e %s/go ]; do sleep 0.1; done"):format(folder), "exec clangd \"$@\"" }, folder .. "/clangd")
vim.fn.setfperm(folder .. "/clangd", "rwx------")
vim.fn.writefile({ vim.fn.json_encode({ ["bodkin.verify.servers"] = { cpp = { command = { folder .. "/clangd" } } } }) },
  vim.env.XDG_CONFIG_HOME .. "/bodkin/settings.json")
t.write("a.cpp", "int f() {\n  return 1;\n}\n")
t.setup({ t.block("a.cpp", "  return 1;\n", "  return 2;\n") }, { verify = { showAfterMs = 1 } })
t.open("a.cpp")
vim.cmd("2Bodkin ask Two")
local proposal = t.proposal()
local function foot(text)
  t.wait("below the change: " .. text, function()
    for _, each in ipairs(t.drawn("a.cpp")) do
      if each.text and each.text:find(text, 1, true) then
        return true
      end
    end
  end)
end
foot("? checking…")
t.message("? checking…; 1 change in 1 file")
t.equal({ #t.ended, require("bodkin.verdict").words(proposal.verification) }, { 0, "? checking…" }, "while it is checked")
vim.fn.writefile({}, folder .. "/go")
foot("✓ clangd: no new errors")
t.equal({ t.end_of_ask()["end"], t.proposals() }, { "proposal", 1 }, "how it ended, and how many proposals there are")
t.wait("the verdict in the log", function()
  return t.log():find("Proposal “Two”: ✓ clangd: no new errors", 1, true)
end)
vim.cmd("Bodkin apply")
t.state(proposal, "applied")
t.equal(t.text("a.cpp"), "int f() {\n  return 2;\n}\n", "the text")
