-- what was found in a change stands below it, whole, also in the view side by side, whose two texts stay level
local t = ...
if vim.fn.executable("clangd") == 0 then
  t.skip("clangd is not installed")
end
vim.o.columns, vim.o.lines = 80, 24
local name = "number_of_days_in_a_year_that_is_not_a_leap_year_in_any_calendar"
local before = "int one() {\n  return 1;\n}\n\nint two() {\n  return 2;\n}\n\nint three();\n"
t.write("a.cpp", before)
vim.fn.writefile({ '{"bodkin.verify.servers": {"cpp": {"command": ["clangd"]}}}' }, vim.env.XDG_CONFIG_HOME .. "/bodkin/settings.json")
t.setup({ t.block("a.cpp", "  return 1;\n", "  return 10;\n") .. t.block("a.cpp", "  return 2;\n", "  return\n      " .. name .. ";\n") },
  { agent = { maxRepairs = 0 } })
t.open("a.cpp")
vim.cmd("%Bodkin ask Other numbers")
local proposal = t.proposal()

-- The rows of a problem are joined as they were broken: at blanks.
local function joined(rows)
  return (table.concat(rows, " "):gsub("%s+", " "))
end
t.wait("the changes", function()
  return #t.drawn("a.cpp") > 0
end)
local rows = {}
for _, each in ipairs(t.drawn("a.cpp")) do
  if each.text and each.groups[1] == "BodkinBad" then
    table.insert(rows, each.text)
    t.equal(vim.fn.strdisplaywidth(each.text) <= 80, true, "a row fits: " .. each.text)
  end
end
t.contains(joined(rows), ("undeclared identifier '%s' (clang)"):format(name), "what is drawn in the file")

-- In a preview: {row (from 0), its texts} of each place at which something was found.
local function found_in(buffer)
  local result = {}
  for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(buffer, vim.api.nvim_create_namespace("bodkin_found"), 0, -1, { details = true })) do
    local texts = vim.tbl_map(function(line)
      return line[1][1]
    end, mark[4].virt_lines)
    table.insert(result, { mark[2], texts })
  end
  return result
end
vim.cmd("Bodkin diff")
t.wait("the preview", function()
  return require("bodkin.diff").here() ~= nil and vim.startswith(vim.api.nvim_buf_get_name(0), "bodkin://")
end)
local preview, width = vim.api.nvim_get_current_buf(), vim.api.nvim_win_get_width(0)
local right, left = found_in(preview), found_in(t.buffer("a.cpp"))
t.equal(#right, 1, "the changes in which something was found")
t.contains(vim.api.nvim_buf_get_lines(preview, right[1][1], right[1][1] + 1, false)[1], name, "the line above it")
for _, row in ipairs(right[1][2]) do
  t.equal(vim.fn.strdisplaywidth(row) <= width, true, "a row fits: " .. row)
end
t.contains(table.concat(right[1][2]):gsub("%s", ""), name, "what stands in the preview")
t.equal({ #left, left[1][1], #left[1][2] }, { 1, 5, #right[1][2] }, "the empty rows in the file: places, row, count")
vim.cmd("redraw")
local level = false
for row = 1, vim.o.lines do
  local text = ""
  for column = 1, vim.o.columns do
    text = text .. vim.fn.screenstring(row, column)
  end
  level = level or text:find("int three%(%);.*int three%(%);") ~= nil
end
t.equal(level, true, "a line below the change is on the same row of the screen in both texts")

-- It goes with its change, and with the view.
require("bodkin.review").go(1)
vim.cmd("Bodkin reject")
t.wait("the rest", function()
  return #found_in(preview) == 0 or #proposal.hunks == 1
end)
t.equal(#found_in(t.buffer("a.cpp")), 0, "what is left in the file")
