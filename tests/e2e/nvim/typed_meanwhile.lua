-- an edit meets only the text that it was made for: not what was typed, in any file of it, while it was on its way
local t = ...
local function create(path, text)
  return ("*** Add File: %s\n+%s\n"):format(path, text)
end
local function patch(body)
  return "*** Begin Patch\n" .. body .. "*** End Patch\n"
end
local function update(path, to)
  return ("*** Update File: %s\n%s@@\n-y = 2\n+y = 20\n"):format(path, to and "*** Move to: " .. to .. "\n" or "")
end
local text = "x = 1\ny = 2\nz = 3\n"
for _, name in ipairs({ "a.py", "b.py", "moved.py", "gone.py" }) do
  t.write(name, text)
end
t.setup()
t.open("a.py")
local typed -- the file that is typed into
local client = require("bodkin.client").of(0)
local ours = client.handlers["workspace/applyEdit"]
client.handlers["workspace/applyEdit"] = function(...)
  vim.api.nvim_buf_set_lines(t.buffer(typed), 0, 0, false, { "typed = True", "" })
  return ours(...)
end
local function is_refused(number, name, what, reply, state)
  typed = name
  if t.buffer(name) < 0 then
    t.open(name)
  end
  vim.fn.setreg("r", reply)
  vim.cmd("Bodkin reply r")
  local proposal = t.proposal(number)
  vim.cmd("Bodkin apply " .. proposal.id)
  local outcome = t.outcome(proposal)
  if state then
    t.state(proposal, state) -- newer Neovims tell what was typed after their answer
  else
    t.equal(outcome, "refused", "the proposal's state: " .. what)
  end
  t.equal(t.text(name), "typed = True\n\n" .. text, name)
  t.message("not applied: " .. name .. " has changed meanwhile")
  t.equal(require("bodkin.proposals").is_open(proposal), state == nil, "whether it can be tried again: " .. what)
  if not state then
    vim.cmd("Bodkin discard " .. proposal.id)
    t.state(proposal, "discarded")
  end
  vim.api.nvim_buf_set_lines(t.buffer(name), 0, 2, false, {})
  vim.cmd("silent wall")
end
is_refused(1, "a.py", "of version 0", patch(update("a.py")))
is_refused(2, "b.py", "the second of two files", patch(update("a.py") .. update("b.py") .. create("new.py", "n = 1")))
t.equal(t.text("a.py"), text, "the first of two files")
t.equal(t.read("new.py"), nil, "the new file")
is_refused(3, "moved.py", "renamed", patch(update("moved.py", "to.py")))
t.equal(t.read("moved.py"), text, "the file that is not renamed")
is_refused(4, "gone.py", "deleted", patch("*** Delete File: gone.py\n"), "stale")
t.equal(t.read("gone.py"), text, "the file that is not deleted")
