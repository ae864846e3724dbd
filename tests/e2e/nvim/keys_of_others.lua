-- the keys that are named are those that work: where another plugin has `]h` there is `]k`, and :checkhealth says so
local t = ...
t.write("a.py", "x = 1\ny = 2\nz = 3\n")
t.setup({ t.block("a.py", "x = 1\n", "x = 10\n") .. t.block("a.py", "z = 3\n", "z = 30\n") })
t.open("a.py")
vim.keymap.set("n", "]h", "<Nop>", { buffer = 0, desc = "next hunk" })
vim.keymap.set("n", "dp", "<Nop>", { buffer = 0 })
vim.cmd("1Bodkin ask Tens")
local proposal = t.proposal()
t.end_of_ask()
require("bodkin.window").close()
local function hint()
  local text = ""
  for _, line in ipairs(t.drawn("a.py")) do
    text = text .. (line.text or "") .. "\n"
  end
  return text
end
t.wait("the keys", function()
  return hint():find("do accept", 1, true) ~= nil
end)
t.contains(hint(), "]k next", "the hint")
t.equal(hint():find("]h", 1, true) or hint():find("dp", 1, true), nil, "a key that is another's, in the hint")
t.keys("gg]k")
t.equal(vim.fn.line("."), 3, "the line after ]k")
t.keys("[h")
t.equal(vim.fn.line("."), 1, "the line after [h, which is free")
vim.cmd("checkhealth bodkin")
local health = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\n"):gsub("\n%s+", " ")
t.contains(health, "]h is mapped by something else in a.py; ]k is used instead", "the health check")
t.contains(health, "dp is mapped by something else in a.py; keys in setup{} chooses another key", "the health check")
vim.cmd("buffer " .. t.buffer("a.py"))

-- One that comes later takes the key, and keeps it when the review ends.
vim.keymap.set("n", "[h", "<Nop>", { buffer = 0, desc = "previous hunk" })
vim.cmd("Bodkin discard")
t.state(proposal, "discarded")
t.equal({ vim.fn.maparg("[h", "n"), vim.fn.maparg("]h", "n"), vim.fn.maparg("]k", "n"), vim.fn.maparg("dO", "n") },
  { "<Nop>", "<Nop>", "", "" }, "the maps after the review")

-- So does a map of the user's own for all buffers.
vim.keymap.set("n", "do", "<Nop>")
require("bodkin.keys").begin_review(0)
require("bodkin.keys").end_review(0)
t.equal(vim.fn.maparg("do", "n"), "<Nop>", "the user's map for all buffers")
