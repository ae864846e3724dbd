-- The highlight groups, each linked to a standard one unless the user or a colour scheme defines it: |bodkin-highlights|.
local M = {}

local links = {
  BodkinAdd = "DiffAdd",               -- proposed lines
  BodkinDelete = "DiffDelete",         -- lines that a proposal removes
  BodkinChange = "DiffText",           -- what differs within a line
  BodkinSign = "Special",              -- the sign in the margin
  BodkinHint = "Comment",              -- keys, counts, times
  BodkinGood = "Question",             -- a check that found nothing
  BodkinBad = "DiagnosticError",       -- a check that found something
  BodkinUnknown = "DiagnosticWarn",    -- not checked
  BodkinSelection = "Visual",          -- the lines that a request is about
  BodkinNormal = "NormalFloat",        -- bodkin's windows
  BodkinBorder = "FloatBorder",
}

local function define()
  for name, target in pairs(links) do
    vim.api.nvim_set_hl(0, name, { link = target, default = true })
  end
end

define()
vim.api.nvim_create_autocmd("ColorScheme", {
  group = vim.api.nvim_create_augroup("bodkin_highlights", { clear = true }),
  callback = define,
})

--- For words about a check: "✓ clangd: no new errors", "✗ …", "? …".
function M.of_verdict(words)
  if vim.startswith(words, "✓") then
    return "BodkinGood"
  end
  return vim.startswith(words, "✗") and "BodkinBad" or "BodkinUnknown"
end

return M
