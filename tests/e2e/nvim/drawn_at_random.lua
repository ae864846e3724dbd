-- of random proposals, drawn in random windows, the screen shows the very text that is written when they are applied
-- $E2E_PROPOSALS: how many ($E2E_SEED: from which on); each is a matter of its number alone.
local t = ...
local count, first_seed = tonumber(vim.env.E2E_PROPOSALS or "15"), tonumber(vim.env.E2E_SEED or "1")
vim.o.showcmd, vim.o.ruler, vim.o.termguicolors = false, false, true
vim.cmd("highlight BodkinAdd guibg=#010101 | highlight BodkinChange guibg=#020202 | highlight BodkinDelete guibg=#030303")
t.setup({})

local seed
local function random(most) -- from 1
  seed = (seed * 1103515245 + 12345) % 2147483648
  return math.floor(seed / 65536) % most + 1
end
local function one_of(list)
  return list[random(#list)]
end

local pieces = { "count", "(", ")", ";", "コ", "ード", "e\204\129", "\t", " ", "  ", "\t\t", "->", "value_of_the_item", "ü", "=", "0", "｡", "“", "”",
  "👩\226\128\141💻", "家", "a", "{}", "]]", "<", "&&", "\\", "%d", "'", '"', "--", "#", "*", "_", "`", "$HOME" }
local function words(most)
  local parts = {}
  for _ = 1, random(most) do
    table.insert(parts, one_of(pieces))
  end
  return table.concat(parts)
end
local function new_line()
  local kind = random(12)
  return kind == 1 and "" or kind == 2 and ("a"):rep(random(125)) or kind == 3 and (" "):rep(random(6)) .. words(6)
    or one_of({ "", "\t", "    ", "x" }) .. words(random(3) == 1 and 40 or 10)
end

-- A file's lines, the blocks of a reply that changes them, and what they are after that.
local function proposal()
  local lines, after, blocks = {}, {}, {}
  local number = 4 + random(25)
  for row = 1, number do
    lines[row] = one_of({ "", "\t", "  ", "    " }) .. ("L%d "):format(row) .. words(random(4) == 1 and 30 or 8) -- like no other
  end
  local row, is_first, is_kept = 1, true, true
  while row <= number do
    local what = is_kept and random(6) or 6 -- between two changes a line stays
    if is_first and row >= number - 1 then
      what = 1
    end
    is_kept = what > 3
    if is_kept then
      table.insert(after, lines[row])
      row = row + 1
    else
      local old, new = {}, {}
      for at = row, math.min(number, row + random(3) - 1) do
        table.insert(old, lines[at])
      end
      row = row + #old
      if what == 2 then -- lines are added below, or above
        local is_above = random(3) == 1
        new = is_above and {} or vim.list_extend({}, old)
        for _ = 1, random(4) do
          table.insert(new, new_line())
        end
        vim.list_extend(new, is_above and old or {})
      elseif what == 1 then -- one is changed within, or all are replaced
        for at, line in ipairs(old) do
          new[at] = random(2) == 1 and line .. words(5) or line:gsub("L", "M") .. words(12)
        end
        for _ = 1, random(3) - 1 do
          table.insert(new, random(#new + 1), new_line())
        end
      end
      vim.list_extend(after, new)
      local ending = #new > 0 and "\n" or ""
      table.insert(blocks, t.block("NAME", table.concat(old, "\n") .. "\n", table.concat(new, "\n") .. ending))
      is_first = false
    end
  end
  local has_margin = random(3) == 1 -- in which one can type without touching a change
  if has_margin then
    for _, all in ipairs({ lines, after }) do
      for at = 1, 3 do
        table.insert(all, at, "top " .. at)
        table.insert(all, "bottom " .. at)
      end
    end
  end
  return lines, after, table.concat(blocks, "\n"), has_margin
end

-- The text of a line as any window shows it, but for blanks at its end.
local function shown(line)
  local column, stop = 0, vim.bo.tabstop
  return (line:gsub("([^\t]*)(\t?)", function(part, tab)
    column = column + vim.api.nvim_strwidth(part) -- the other one goes by how the window breaks lines
    local blanks = tab == "" and "" or (" "):rep(stop - column % stop)
    column = column + #blanks
    return part .. blanks
  end):gsub("%s+$", ""))
end

local function background(row, column)
  local attributes = vim.api.nvim__inspect_cell(1, row - 1, column - 1)[2] or {}
  return attributes.background
end

-- The row of the screen in which a column (from 1) of a line is; 0: it is not seen. 0.7.2 forgets what is drawn above it.
local function row_of(line, column, info)
  if vim.fn.has("nvim-0.10") == 1 then
    return vim.fn.screenpos(0, line, column).row
  end
  vim.api.nvim_win_set_cursor(0, { line, column - 1 })
  return info.winrow + vim.fn.winline() - 1
end

-- The text that the window shows as the one that there will be: lines that are not marked as removed, and those that are drawn.
local function promised()
  vim.cmd("redraw")
  local info = vim.fn.getwininfo(vim.api.nvim_get_current_win())[1]
  local first, last = info.wincol + info.textoff, info.wincol + info.width - 1
  local result, is_line, goes_on, removed, below = {}, {}, {}, {}, 0
  for line = 1, vim.fn.line("$") do
    local row = row_of(line, 1, info)
    if row == 0 then
      return { "line " .. line .. " is not on the screen" }
    end
    is_line[row] = is_line[row] or {} -- all of a closed fold
    table.insert(is_line[row], line)
    removed[row], below = background(row, first) == 0x30303, row
    if vim.fn.foldclosed(line) < 0 then
      for more = row + 1, row_of(line, math.max(1, #vim.fn.getline(line)), info) do
        goes_on[more] = true
      end
    end
  end
  for row = info.winrow, math.min(info.winrow + info.height - 1, below + 60) do
    local colour = background(row, first)
    local is_more = vim.fn.screenstring(row, first) == "↪" and background(row, first + 2)
    is_more = (is_more == 0x10101 or is_more == 0x20202) and colour ~= 0x10101 and colour ~= 0x20202
    if is_line[row] and not removed[row] then
      for _, line in ipairs(is_line[row]) do
        table.insert(result, shown(vim.fn.getline(line)))
      end
    elseif not is_line[row] and not goes_on[row] and (is_more or colour == 0x10101 or colour == 0x20202) then
      local cells = {}
      for column = is_more and first + 2 or first, last do
        local here = background(row, column)
        if here == 0x10101 or here == 0x20202 then
          table.insert(cells, vim.fn.screenstring(row, column))
        end
      end
      local text = table.concat(cells)
      if is_more then
        result[#result] = result[#result] .. text
      else
        table.insert(result, text)
      end
    end
  end
  return vim.tbl_map(function(each)
    return (each:gsub("%s+$", ""):gsub("<200d>", "\226\128\141")) -- as some versions show it
  end, result)
end

local function dress()
  vim.o.columns, vim.o.lines = one_of({ 40, 80, 120 }), 700
  local has_signs = random(3) == 1
  local options = {
    number = random(2) == 1, relativenumber = random(3) == 1, signcolumn = one_of({ "auto", "auto:2", "yes", "no", "number" }),
    foldcolumn = one_of({ "0", "0", "2" }), wrap = random(3) > 1, linebreak = random(2) == 1, showbreak = one_of({ "", "> " }),
    breakindent = random(3) == 1, conceallevel = one_of({ 0, 2 }), concealcursor = "n", list = random(4) == 1, cursorline = random(2) == 1,
    foldmethod = one_of({ "manual", "indent" }), foldlevel = one_of({ 0, 99 }),
  }
  if vim.fn.has("nvim-0.10") == 1 then
    options.winbar, options.statuscolumn = one_of({ "", "here" }), one_of({ "", "", "%s%l " })
  end
  for name, value in pairs(options) do
    vim.wo[name] = value
  end
  vim.bo.tabstop = one_of({ 2, 4, 8 })
  if options.conceallevel > 0 then
    vim.cmd("syntax match Conceal /[(=]/ conceal")
  end
  if has_signs then
    vim.fn.sign_define("other", { text = "o" })
    vim.fn.sign_place(0, "", "other", vim.api.nvim_get_current_buf(), { lnum = 1 + random(3) })
  end
  if random(4) == 1 then
    vim.cmd("vsplit")
  end
  if random(3) == 1 then -- as of a plugin that has the keys of hunks
    vim.keymap.set("n", "]h", "<Nop>", { buffer = true, desc = "of another" })
  end
  return vim.inspect(vim.tbl_extend("error", options, { columns = vim.o.columns, tabstop = vim.bo.tabstop, has_signs = has_signs }))
end

local different = 0
for number = first_seed, first_seed + count - 1 do
  seed = number * 7919
  random(2)
  local name = ("f%d.txt"):format(number)
  local lines, after, reply, has_margin = proposal()
  local ending = random(5) == 1 and "\r\n" or "\n"
  t.write(name, table.concat(lines, ending) .. (random(5) == 1 and "" or ending))
  t.open(name)
  local window = dress()
  vim.fn.setreg("a", (reply:gsub("NAME", name)))
  local before = t.proposals()
  vim.cmd("Bodkin reply a")
  local made = t.proposal(before + 1)
  t.wait("the changes", function()
    return require("bodkin.inline").of(vim.api.nvim_get_current_buf())
  end)
  if has_margin then -- typed meanwhile
    local at = random(2) == 1 and 0 or #lines
    vim.api.nvim_buf_set_lines(0, at, at, false, { "typed" })
    vim.cmd("doautocmd TextChanged")
    table.insert(after, at == 0 and 1 or #after + 1, "typed")
  end
  vim.cmd("normal! gg0")
  local expected = vim.tbl_map(shown, after)
  local seen
  local is_equal = vim.wait(10000, function()
    if vim.fn.line("w0") > 1 or vim.fn.winsaveview().topfill == 0 then
      vim.cmd("normal! gg" .. ("\25"):rep(20))
    end
    seen = promised()
    return vim.deep_equal(seen, expected)
  end, 20)
  if not is_equal then
    different = different + 1
    io.stdout:write(("proposal %d differs: %s\n"):format(number, window))
    for row = 1, math.max(#seen, #expected) do
      if seen[row] ~= expected[row] then
        io.stdout:write(("  line %d\n    shown:   %s\n    written: %s\n    as:      %s\n"):format(row, vim.inspect(seen[row]), vim.inspect(expected[row]),
          vim.inspect(after[row])))
        break
      end
    end
    for row = 1, 100 do -- "D": removed, "A": proposed
      local cells, letters = {}, { [0x10101] = "A", [0x20202] = "A", [0x30303] = "D" }
      for column = 1, vim.o.columns do
        cells[column] = vim.fn.screenstring(row, column)
      end
      local text = table.concat(cells)
      if text:find("%S") then
        local textoff = vim.fn.getwininfo(vim.api.nvim_get_current_win())[1].textoff
        io.stdout:write(("  %2d %s %s\n"):format(row, letters[background(row, textoff + 1)] or " ", text))
      end
    end
  end
  vim.cmd("Bodkin apply " .. made.id)
  t.equal(t.outcome(made), "applied", ("what became of proposal %d (%s)"):format(number, tostring(made.message)))
  t.equal(vim.api.nvim_buf_get_lines(0, 0, -1, false), after, ("what was written by proposal %d"):format(number))
  vim.cmd("silent only | bwipeout!")
end
t.equal(different, 0, "how many proposals the screen shows otherwise")
