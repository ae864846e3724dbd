-- only in a folder that the user trusts is a draft checked by their command, and applied at once if they wish
local t = ...
t.write("a.py", "x = 1\n")
local turns = {}
for _ = 1, 4 do
  table.insert(turns, { reply = { text = t.block("a.py", "x = 1\n", "x = 2\n"), stop_reason = "end_turn" } })
end
local settings = { verify = { command = { "grep", "-q", "x = 2", "a.py" } } }
local root = vim.fn.fnamemodify(t.path("a.py"), ":h")
vim.fn.mkdir(root .. "/below", "p")

-- Each time a server of its own: what setup{} says is said when it starts.
local function check(trusted, wanted)
  t.setup(turns, settings, { trusted = trusted })
  local before = t.proposals()
  if before == 0 then
    t.open("a.py")
  else
    vim.cmd("Bodkin restart")
    t.wait("the new server", function()
      local client = require("bodkin.client").of(t.buffer("a.py"))
      return client and client.initialized and client.config.init_options.bodkin.workspaceTrusted == wanted
    end)
  end
  vim.cmd("1Bodkin ask Make x two")
  local proposal = t.proposal(before + 1)
  t.equal(proposal.verification.state, wanted and "clean" or "not_checked", "trusted = " .. vim.inspect(trusted))
  vim.cmd("Bodkin discard") -- else the next server shows it again
end

check({ root .. "/below", "/nowhere" }, false)
t.message("this folder is not trusted")
check(function(folder)
  return folder == root
end, true)
check({ vim.fn.fnamemodify(root, ":h") }, true)
check(false, false)

for _, wrong in ipairs({ 1, "yes", { a = "b" } }) do
  t.equal(pcall(require("bodkin").setup, { trusted = wrong }), false, "taken as trusted: " .. vim.inspect(wrong))
end
