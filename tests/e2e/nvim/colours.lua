-- every colour is a standard group's, so that it is one of the colour scheme's contrast, unless the user has chosen it
local t = ...
vim.o.termguicolors = true
vim.cmd("highlight BodkinAdd guifg=#123456 guibg=#abcdef")
t.setup({})
local groups = { "BodkinAdd", "BodkinDelete", "BodkinChange", "BodkinSign", "BodkinHint", "BodkinGood", "BodkinBad", "BodkinUnknown",
  "BodkinSelection", "BodkinNormal", "BodkinBorder" }
local function check(scheme)
  for _, group in ipairs(groups) do
    local id = vim.fn.hlID(group)
    local target = vim.fn.synIDattr(vim.fn.synIDtrans(id), "name")
    t.equal(vim.startswith(target, "Bodkin"), group == "BodkinAdd" and scheme == "before", group .. " with " .. scheme .. ": " .. target)
  end
end
require("bodkin.highlights")
check("before")
for _, scheme in ipairs({ "blue", "elflord", "default" }) do
  vim.cmd("colorscheme " .. scheme) -- it clears what the user has chosen, and links stand
  check(scheme)
end
local lines = table.concat(vim.fn.readfile(vim.env.TOP .. "/clients/nvim/doc/bodkin.txt"), "\n")
for _, group in ipairs(groups) do
  t.contains(lines, "    " .. group, "the manual")
end
