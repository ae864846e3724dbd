-- :Bodkin trust trusts the folder for good, unless setup{} says which folders are trusted
local t = ...
t.write("a.py", "x = 1\n")
local turns = {}
for _ = 1, 2 do
  table.insert(turns, { reply = { text = t.block("a.py", "x = 1\n", "x = 2\n"), stop_reason = "end_turn" } })
end
t.setup(turns, { verify = { command = { "grep", "-q", "x = 2", "a.py" } } }, { trusted = false })
t.open("a.py")
vim.cmd("Bodkin trust")
t.message("setup{trusted = …} decides that")

t.setup(turns, { verify = { command = { "grep", "-q", "x = 2", "a.py" } } })
vim.cmd("Bodkin restart")
t.wait("the new server", function()
  local client = require("bodkin.client").of(t.buffer("a.py"))
  return client and client.initialized and client.config.init_options.bodkin.workspaceTrusted == nil
end)
vim.cmd("Bodkin trust")
local function short(path)
  return vim.fn.fnamemodify((vim.uv or vim.loop).fs_realpath(path), ":~")
end
t.told(short(vim.fn.fnamemodify(t.path("a.py"), ":h")) .. " is now trusted, in " .. short(vim.env.XDG_CONFIG_HOME .. "/bodkin/settings.json"))
vim.cmd("1Bodkin ask Make x two")
t.equal(t.proposal(1).verification.state, "clean", "after :Bodkin trust")
local kept = table.concat(vim.fn.readfile(vim.env.XDG_CONFIG_HOME .. "/bodkin/settings.json"), "\n")
t.contains(kept, (vim.uv or vim.loop).fs_realpath(vim.fn.fnamemodify(t.path("a.py"), ":h")), "settings.json")
