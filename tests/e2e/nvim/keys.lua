-- keys are those of setup{keys}: everywhere or, for the review, only where changes are drawn; the user's own stay
local t = ...
t.write("a.py", "x = 1\n")
t.equal(pcall(require("bodkin").setup, { keys = { nonsense = "x" } }), false, "an unknown action")
t.equal(pcall(require("bodkin").setup, { keys = { ask = 1 } }), false, "no key")
t.setup({ t.block("a.py", "x = 1\n", "x = 2\n") }, nil, { keys = { undo = "gU!", accept = { "ga", "gA" }, reject = false } })
t.open("a.py")
vim.keymap.set("n", "]h", "<Nop>", { buffer = 0 })
t.equal(vim.fn.maparg("ga", "n"), "", "the key of the review before there is one")
vim.cmd("1Bodkin ask Make x two")
local proposal = t.proposal()
t.wait("the keys", function()
  return vim.fn.maparg("ga", "n", false, true).buffer == 1 and vim.fn.maparg("gA", "n", false, true).buffer == 1
end)
t.equal(vim.fn.maparg("dp", "n"), "", "a key that is not wanted")
t.equal(vim.fn.maparg("]h", "n"), "<Nop>", "the user's own key")
t.keys("ga")
t.state(proposal, "applied")
t.keys("gU!")
t.state(proposal, "discarded")
t.equal(t.text("a.py"), "x = 1\n", "the text after the undo")
t.equal(vim.fn.maparg("<Plug>(bodkin-ask)", "x") ~= "" or vim.fn.maparg("<Plug>(bodkin-ask)", "x", false, true).callback ~= nil, true,
  "the <Plug> map")
