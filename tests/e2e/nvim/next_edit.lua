-- what an edit implies elsewhere is a hint; a key goes there, the same key makes it, and no key of another plugin is taken
local t = ...
vim.o.columns, vim.o.lines = 80, 24
local lines = { "check(path, 1)", "use(path)", "", "check(path, 1)", "use(path)", "", "check(path, 1)", "use(path)" }
for number = 1, 40 do
  lines[#lines + 1] = ("v%d = %d"):format(number, number)
end
vim.list_extend(lines, { "go()", "check(path, 1)", "use(path)" })
t.write("a.py", table.concat(lines, "\n") .. "\n")
t.write("doors.py", "def open_door(name):\n    print(name)\n\ndef close_door(name):\n    print(name)\n")
t.setup({}, nil, { window = "none" })
t.open("a.py")
-- line -> the words at its end
local function hints()
  local found = {}
  local marks = vim.api.nvim_buf_get_extmarks(0, vim.api.nvim_create_namespace("bodkin_next_edit"), 0, -1, { details = true })
  for _, mark in ipairs(marks) do
    found[mark[2] + 1] = vim.trim(mark[4].virt_text[1][1])
  end
  return found
end
local function wait_for(line, words)
  t.wait(words .. " to be shown", function()
    return hints()[line] == words
  end)
end

-- Edits of one moment reach the server in one message, and are no pattern.
local function answered()
  t.wait("the answer of the server", function()
    return require("bodkin.next_edit").is_answered(0)
  end)
end

local function type_keys(keys)
  t.keys(keys)
  vim.cmd("doautocmd <nomodeline> TextChanged") -- no script sees Neovim do that
end

-- What was done three times is implied elsewhere.
for _, keys in ipairs({ "$hrx", "4G$hrx" }) do
  type_keys(keys)
  answered()
  t.equal(hints(), {}, "of the first two edits nothing is shown")
end
type_keys("7G$hrx")
wait_for(7, "→ same change at line 50  (]=)")
t.keys("]=")
t.equal(vim.api.nvim_win_get_cursor(0), { 50, 0 }, "the key goes there")
wait_for(50, "→ check(path, x)  (]=)")
t.equal(vim.fn.getline(50), "check(path, 1)", "going there changes nothing")
t.keys("]=")
t.equal(vim.fn.getline(50), "check(path, x)", "the key makes the change")
t.equal(vim.fn.maparg("]=", "n"), "", "the key is nobody's again")
t.keys("u")
t.equal(vim.fn.getline(50), "check(path, 1)", "one undo takes it back")

-- A key that somebody else has in the buffer stays theirs.
vim.cmd("edit!")
vim.keymap.set("n", "]=", "<Nop>", { buffer = true, desc = "of another" })
type_keys("gg$hrx")
answered()
type_keys("4G$hrx")
answered()
type_keys("7G$hrx")
answered()
t.equal(hints(), {}, "without a key nothing is shown")
t.equal(vim.fn.maparg("]=", "n", false, true).desc, "of another", "the key of another plugin")

-- Of a call that lacks an argument nothing is known but where it is.
t.write("c.py", "def greet(name):\n    print(name)\n\ngreet('Ada')\ngreet('Bob')\n")
t.open("c.py")
type_keys("gg$hi, times\27")
wait_for(4, "→ greet() takes 2 arguments now  (]=, 1 more)")
t.keys("]=")
t.keys("]=")
wait_for(5, "→ greet() takes 2 arguments now  (]=)")

-- What is typed and another file declares is imported.
t.write("d.py", "from doors import close_door\n\nclose_door('front')\n")
t.open("d.py")
type_keys("Go" .. "open_door('front')\27")
t.wait("the import", function()
  if not hints()[1] and require("bodkin.next_edit").is_answered(0) then
    vim.cmd("doautocmd <nomodeline> TextChanged") -- the index of symbols may not be complete yet
  end
  return hints()[1] == "→ from doors import close_door, open_door  (]=)"
end)

-- Of a long line what stays is cut, not what changes and not the key.
local long = ("check(%s, 1)"):format(("x"):rep(50))
t.write("b.py", table.concat({ long, "use(path)", "", long, "use(path)", "", long, "use(path)", long, "use(path)" }, "\n") .. "\n")
t.open("b.py")
type_keys("gg$hrz")
answered()
type_keys("4G$hrz")
answered()
type_keys("7G$hrz")
wait_for(9, "→ …x, z)  (]=)")

-- <Tab> in a menu of completions is the menu's.
t.keys("oche\24\14\9\27")
t.contains(vim.fn.getline("."), "check", "what the menu completes")
t.equal(vim.fn.getline("."):match("%s$") ~= nil, true, "<Tab> behind it")

-- A local of this name in another function is another one. Two changes are a rename, where many are left.
t.write("e.py", "def f():\n    left = 1\n\n    put(left)\n\n    put(left)\n    put(left)\n    return left\n\ndef g():\n    left = 1\n    return left\n")
t.open("e.py")
type_keys("2Gwcwright\27")
answered()
t.equal(hints(), {}, "of a first edit nothing is shown")
type_keys("4G$hbcwright\27")
wait_for(6, "→ put(right)  (]=, 2 more)")
t.keys("]=]=")
vim.cmd("doautocmd <nomodeline> TextChanged")
answered()
t.equal(hints(), {}, "of two places that are left nothing is shown")
t.equal(vim.fn.getline(12), "    return left", "the other function")
