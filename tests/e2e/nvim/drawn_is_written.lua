-- what the screen shows is what would be written: every character of long, wide and tabbed lines, whatever is beside the text
local t = ...
vim.o.lines = 200
vim.o.showcmd, vim.o.ruler = false, false

-- Lines of many kinds, the same in each run; and one for each width at which the end of a row may fall.
local seed = 41
local function random(count)
  seed = (seed * 1103515245 + 12345) % 2147483648
  return math.floor(seed / 65536) % count + 1
end
local pieces = { "count", "(", ")", ";", "コ", "ード", "e\204\129", "\t", " ", "\t\t", "->", "value_of_the_item", "ü", "=", "0", "｡", "“", "”" }
local lines = {}
for _ = 1, 40 do
  local parts = {}
  for _ = 1, 5 + random(45) do
    table.insert(parts, pieces[random(#pieces)])
  end
  table.insert(lines, "x" .. table.concat(parts) .. "))")
end
for length = 30, 124 do
  if length < 44 or length > 70 and length < 84 or length > 108 then
    table.insert(lines, ("a"):rep(length - 3) .. "());")
  end
end
table.insert(lines, "\tone\ttwo\tthree")

t.write("a.txt", "first\nold\nlast\n")
t.setup({ t.block("a.txt", "old\n", table.concat(lines, "\n") .. "\n") })
t.open("a.txt")
vim.cmd("2Bodkin ask Lines")
t.proposal()
t.end_of_ask()
require("bodkin.window").close()

local function row_text(row, first)
  local cells = {}
  for column = first, vim.api.nvim_win_get_width(0) do -- the window is the leftmost
    table.insert(cells, vim.fn.screenstring(row, column))
  end
  return table.concat(cells)
end

-- The proposed lines as the screen has them, between what is removed and the number of the change.
local function shown()
  vim.cmd("redraw")
  local first = vim.fn.getwininfo(vim.api.nvim_get_current_win())[1].textoff + 1
  local result, is_inside = {}, false
  for row = 1, vim.o.lines do
    local text = row_text(row, first)
    if is_inside and text:find("^  1/1 ") then
      return result
    elseif is_inside and vim.startswith(text, "↪ ") then
      result[#result] = result[#result] .. text:sub(#"↪ " + 1)
    elseif is_inside then
      table.insert(result, text)
    end
    is_inside = is_inside or text:find("^old") ~= nil
  end
  return { "the end of the change is not on the screen" }
end

local function bare(text)
  return (text:gsub("[ \t]", ""))
end
local expected = vim.tbl_map(bare, lines)

local function check(what)
  local seen = {}
  vim.wait(10000, function()
    seen = shown()
    return vim.deep_equal(vim.tbl_map(bare, seen), expected)
  end, 20)
  for number, line in ipairs(expected) do
    t.equal(bare(seen[number] or ""), line, ("%s, %d columns, the proposed line %d"):format(what, vim.o.columns, number))
  end
  t.equal(#seen, #lines, what .. ", how many lines")
  return seen
end

local function with(window, more)
  return function()
    for name, value in pairs(window) do
      vim.wo[name] = value
    end
    if more then
      more()
    end
  end
end
local margins = {
  { "no margin", with({ signcolumn = "no" }) },
  { "signs as they come", with({ signcolumn = "auto" }) },
  { "signs always", with({ signcolumn = "yes" }) },
  { "numbers", with({ number = true, signcolumn = "auto" }) },
  { "signs in the numbers", with({ number = true, signcolumn = "number" }) },
  { "folds", with({ foldcolumn = "3", number = true, relativenumber = true, signcolumn = "auto" }) },
  { "signs of others", with({ signcolumn = "auto:3", foldcolumn = "0" }, function()
    vim.fn.sign_define("other", { text = "o" })
    vim.fn.sign_place(0, "", "other", vim.api.nvim_get_current_buf(), { lnum = 2 })
    vim.fn.sign_place(0, "", "other", vim.api.nvim_get_current_buf(), { lnum = 1 })
  end) },
  { "concealed text", with({ conceallevel = 2, concealcursor = "n" }) },
  { "no wrapping", with({ wrap = false }) },
  { "wrapping with marks", with({ wrap = true, linebreak = true, showbreak = "> " }) },
}
for _, columns in ipairs({ 40, 80, 120 }) do
  vim.o.lines = columns == 40 and 800 or 400
  vim.o.columns = columns
  for _, margin in ipairs(margins) do
    margin[2]()
    check(margin[1])
  end
  vim.fn.sign_unplace("", { buffer = vim.api.nvim_get_current_buf() })
  with({ number = false, relativenumber = false, foldcolumn = "0", signcolumn = "auto", conceallevel = 0, showbreak = "" })()
  check("as at first")
end

-- A tab goes where it goes in the file.
vim.bo.tabstop = 4
require("bodkin.review").draw(vim.api.nvim_get_current_buf())
t.wait("the tabs to go to their stops", function()
  local seen = shown()
  return (seen[#seen]:gsub("%s+$", "")) == "    one two three"
end)

-- Beside another window there is less room.
vim.cmd("leftabove vsplit")
check("half of the screen")
