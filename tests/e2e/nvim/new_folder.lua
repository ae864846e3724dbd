-- a new file in a new folder is created, a file is renamed into one; what cannot be made is said in a sentence
local t = ...
t.write("a.py", "x = 1\n")
t.write("old.py", "z = 1\n")
t.write("blocked", "a file where a folder should be\n")
local function patch(text)
  return "*** Begin Patch\n" .. text .. "*** End Patch\n"
end
t.setup({
  patch("*** Update File: a.py\n@@\n-x = 1\n+x = 2\n*** Add File: lib/deep/fresh.py\n+y = 1\n"),
  patch("*** Update File: old.py\n*** Move to: sub/new.py\n@@\n-z = 1\n+z = 2\n"),
})
t.open("a.py")
vim.cmd("Bodkin ask Add")
local proposal = t.proposal(1)
t.end_of_ask(1)
vim.cmd("Bodkin apply")
t.outcome(proposal)
t.equal({ proposal.state, proposal.message }, { "applied", "Applied." }, "the new file")
vim.cmd("Bodkin ask Move")
proposal = t.proposal(2)
t.end_of_ask(2)
vim.cmd("Bodkin apply")
t.outcome(proposal)
t.equal({ proposal.state, t.text("sub/new.py") }, { "applied", "z = 2\n" }, "the moved file")

local answer = require("bodkin.applying").apply(nil, { edit = { documentChanges = {
  { kind = "create", uri = vim.uri_from_fname(t.path("blocked/new.py")) } } } }, { client_id = require("bodkin.client").of(t.buffer("a.py")).id })
t.equal(answer.applied, false, "below a file")
t.contains(answer.failureReason, "the folder blocked cannot be made", "why")
t.equal(require("bodkin.files").reason("Error executing lua: ...share/nvim/runtime/lua/vim/lsp/util.lua:672: a.py: No such file\nstack traceback:"),
  "a.py: No such file", "a Lua error in words")
