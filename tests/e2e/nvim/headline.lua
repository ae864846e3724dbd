-- the status lines of the side-by-side view keep the verdict and the keys whole at 80 columns: the names give way
local t = ...
vim.o.columns, vim.o.lines = 80, 24
t.write("a.py", "x = 1\n")
local name = "a_new_file_with_a_name_that_is_long.py"
t.setup({ t.block(name, "", "y = 1\n") .. t.block("a.py", "x = 1\n", "x = 2\n") })
t.open("a.py")
vim.cmd("1Bodkin ask Both of them, in words that do not fit")
local proposal = t.proposal()
require("bodkin.diff").open(proposal, vim.uri_from_fname(t.path(name)))
t.wait("the view", function()
  return require("bodkin.diff").here() ~= nil and #vim.api.nvim_tabpage_list_wins(0) == 2
end)
local lines = {}
for _, window in ipairs(vim.api.nvim_tabpage_list_wins(0)) do
  table.insert(lines, vim.api.nvim_eval_statusline(vim.wo[window].statusline, { winid = window, maxwidth = 39 }).str)
end
t.contains(lines[1], "? only syntax", "the line on the left")
t.contains(lines[1], " 2 of 2: ", "the line on the left: as its changes are numbered")
t.contains(lines[2], " a accept  A all  ]f file  g? keys ", "the line on the right")

-- The name is not given up for how it was not checked.
local short = t.block("pi.py", "", "y = 1\n") .. t.block("a.py", "x = 1\n", "x = 3\n")
vim.fn.setreg("a", short)
require("bodkin.diff").close(proposal)
vim.cmd("Bodkin reply a")
proposal = t.proposal(2)
require("bodkin.diff").open(proposal, vim.uri_from_fname(t.path("pi.py")))
t.wait("the view", function()
  return require("bodkin.diff").here() == proposal and #vim.api.nvim_tabpage_list_wins(0) == 2
end)
local left = vim.api.nvim_tabpage_list_wins(0)[1]
t.contains(vim.api.nvim_eval_statusline(vim.wo[left].statusline, { winid = left, maxwidth = 39 }).str,
  " 2 of 2: new file pi.py  ? only syntax", "the line on the left")

-- A verdict that is longer than its place keeps its sign.
require("bodkin.diff").close(proposal)
local longest = t.block("a_folder/" .. name, "", "y = 1\n") .. t.block("a.py", "x = 1\n", "x = 4\n")
vim.fn.setreg("a", longest)
vim.cmd("Bodkin reply a")
proposal = t.proposal(3)
proposal.verification = { state = "problems", words = "✗ 2 new problems as it is now; ✗ 1 new problem with all changes", problems = {} }
require("bodkin.diff").open(proposal, vim.uri_from_fname(t.path("a_folder/" .. name)))
t.wait("the view", function()
  return require("bodkin.diff").here() == proposal and #vim.api.nvim_tabpage_list_wins(0) == 2
end)
left = vim.api.nvim_tabpage_list_wins(0)[1]
local line = vim.api.nvim_eval_statusline(vim.wo[left].statusline, { winid = left, maxwidth = 39 }).str
t.contains(line, "✗ 2 new problems", "the line on the left")
t.contains(line, "long.py", "the line on the left: the end of the name")

-- A key that g? lists does there what it does in the view.
t.keys("g?")
t.contains(t.float(), "next file", "the keys")
t.keys("]f")
t.wait("the other file", function()
  local first = vim.api.nvim_tabpage_list_wins(0)[1]
  return vim.api.nvim_eval_statusline(vim.wo[first].statusline, { winid = first, maxwidth = 39 }).str:find(" 1 of 2: ", 1, true)
end)
t.equal(#vim.api.nvim_tabpage_list_wins(0), 2, "the list of keys is closed")
