-- of a proposal that is taken in parts the log says what was done and what is left, and each verdict once
local t = ...
local before = "a = 1\nb = 2\nc = 3\nd = 4\ne = 5\n"
t.write("a.py", before)
t.write("b.py", before)
t.setup({ t.block("a.py", "a = 1\n", "a = 10\n") .. t.block("a.py", "c = 3\n", "c = 30\n") .. t.block("a.py", "e = 5\n", "e = 50\n")
  .. t.block("b.py", "e = 5\n", "e = 50\n") })
t.open("a.py")
vim.cmd("1Bodkin ask Tens")
local proposal = t.proposal()
t.end_of_ask()
local function is_drawn(count)
  t.wait(count .. " changes", function()
    local _, hunks = require("bodkin.inline").of(t.buffer("a.py"))
    return #(hunks or {}) == count
  end)
end
for left = 3, 2, -1 do
  is_drawn(left)
  vim.api.nvim_win_set_cursor(0, { left == 3 and 1 or 3, 0 })
  vim.cmd("Bodkin accept")
  t.wait(left .. " changes left", function()
    return proposal.state == "partly" and proposal.left == left and (proposal.message or ""):find("^Applied%. Not checked")
  end)
end
is_drawn(1)
vim.api.nvim_win_set_cursor(0, { 5, 0 })
vim.cmd("Bodkin reject")
t.message("Rejected.")
local lines = {}
for line in t.log():gmatch("[^\n]+") do
  local outcome = line:match("^%- Proposal “Tens”: (.*)$")
  if outcome and not outcome:find("changes in 2 files") then
    table.insert(lines, outcome:match("^Not checked") or outcome)
  end
end
t.equal(lines, { "Applied; 3 of 4 changes left", "Not checked", "Applied; 2 of 4 changes left", "Rejected; 1 of 4 changes left" }, "the log")
