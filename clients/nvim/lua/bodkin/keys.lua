-- What the <Plug> maps of plugin/bodkin.lua do, and the keys of setup{keys = …}. Those of the review exist only in buffers
-- in which changes are drawn.
local M = {}

local review_actions = { next = true, prev = true, accept = true, reject = true, accept_file = true, reject_file = true,
  diff = true, unified = true }

-- action -> {modes, what runs, words}
-- Decides: what a key of Neovim does.
local actions = {
  ask = { { "n", "x" }, function()
    require("bodkin.requests").ask_here()
  end, "ask about the selection or the function here" },
  fix = { { "n", "x" }, function()
    require("bodkin.requests").fix_here()
  end, "fix the problems here" },
  explain = { { "n", "x" }, function()
    require("bodkin.requests").ask_here("/explain")
  end, "explain the selection or the function here" },
  next = { { "n" }, function()
    require("bodkin.review").go(1, vim.v.count1)
  end, "next change" },
  prev = { { "n" }, function()
    require("bodkin.review").go(-1, vim.v.count1)
  end, "previous change" },
  accept = { { "n" }, function()
    require("bodkin.review").accept("hunk", vim.v.count1)
  end, "accept the change here" },
  reject = { { "n" }, function()
    require("bodkin.review").reject("hunk", vim.v.count1)
  end, "reject the change here" },
  accept_file = { { "n" }, function()
    require("bodkin.review").accept("file")
  end, "accept all changes of this file" },
  reject_file = { { "n" }, function()
    require("bodkin.review").reject("file")
  end, "reject all changes of this file" },
  diff = { { "n" }, function()
    vim.cmd("Bodkin diff")
  end, "the proposal side by side" },
  unified = { { "n" }, function()
    vim.cmd("Bodkin unified")
  end, "the proposal as one diff" },
  same = { { "n" }, function()
    require("bodkin.next_edit").go()
  end, "go to where the last edit is implied, or make it there" },
}
for name, words in pairs({ apply = "apply the proposal", discard = "discard the proposal", undo = "undo what was applied last",
  redo = "redo what was undone or discarded last",
  cancel = "cancel what is running", log = "show what is said", answer = "answer a question", proposals = "choose a proposal",
  sessions = "choose a session", retry = "retry what failed", new = "begin a session", model = "choose a model",
  mode = "choose a mode" }) do
  actions[name] = { { "n" }, function()
    vim.cmd("Bodkin " .. name)
  end, words }
end

actions.mode[2] = function()
  require("bodkin.commands").choose_mode()
end

--- The names that setup{keys} may have.
function M.is_action(name)
  return actions[name] ~= nil
end

-- Instead of a default that another plugin has mapped in the buffer, as gitsigns has `]h`.
local spare = { next = "]k", prev = "[k" }

-- Who has a key in a buffer: "bodkin", "other", or nil.
local function owner_of(buffer, key)
  for _, map in ipairs(vim.api.nvim_buf_get_keymap(buffer, "n")) do
    if map.lhs == key then
      return vim.startswith(map.desc or "", "bodkin: ") and "bodkin" or "other"
    end
  end
end

local function each_key(name, run)
  local keys = require("bodkin.config").get().keys[name]
  for _, key in ipairs(type(keys) == "table" and keys or { keys or nil }) do
    run(key)
  end
end

--- The first key of an action of the review that is ours in this buffer, as text; nil: there is none.
function M.of(name, buffer)
  local found
  local function look(key)
    found = found or (owner_of(buffer, key) == "bodkin" and key or nil)
  end
  each_key(name, look)
  if spare[name] then
    look(spare[name])
  end
  return found
end

--- The keys of the review that something else has mapped in a buffer: a list of {key, what is mapped instead or nil}.
function M.taken(buffer)
  local result = {}
  for name in pairs(review_actions) do
    each_key(name, function(key)
      if owner_of(buffer, key) == "other" then
        table.insert(result, { key, owner_of(buffer, spare[name] or "") ~= "other" and spare[name] or nil })
      end
    end)
  end
  table.sort(result, function(a, b)
    return a[1] < b[1]
  end)
  return result
end

--- What a <Plug> map does.
function M.run(name)
  if name == "cancel" or not require("bodkin.ui").is_in_cmdwin() then
    actions[name][2]()
  end
end

--- Makes the maps of setup{keys} that hold everywhere.
function M.global()
  for name, action in pairs(actions) do
    if not review_actions[name] and name ~= "same" then
      each_key(name, function(key)
        vim.keymap.set(action[1], key, ("<Plug>(bodkin-%s)"):format(name), { remap = true, silent = true, desc = "bodkin: " .. action[3] })
      end)
    end
  end
end

local mapped = {} -- buffer -> the keys that were made there, each with its action

-- In a diff of the user's own `do` and `dp` are Vim's: there they obtain and put what that shows. Elsewhere Vim only has an
-- error for them, so that they stay ours once a review has ended: who presses one once too often is told so.
local function is_of_diff(key)
  return key == "do" or key == "dp"
end

local function make_key(buffer, key, name)
  vim.keymap.set("n", key, function()
    if is_of_diff(key) and vim.wo.diff and not require("bodkin.diff").here() then
      vim.cmd("normal! " .. (vim.v.count > 0 and vim.v.count or "") .. key)
    elseif mapped[buffer] then
      actions[name][2]()
    else
      require("bodkin.client").notify("nothing is proposed here any more")
    end
  end, { buffer = buffer, silent = true, desc = "bodkin: " .. actions[name][3] })
end

--- Makes the keys of the review in a buffer in which changes are drawn, also if some are there. A key that the user or
--- another plugin has there stays theirs.
function M.begin_review(buffer)
  mapped[buffer] = mapped[buffer] or {}
  for name in pairs(review_actions) do
    local is_taken = false
    local function make(key)
      if owner_of(buffer, key) == "other" then
        is_taken = true
        return
      end
      make_key(buffer, key, name)
      mapped[buffer][key] = name
    end
    each_key(name, make)
    if is_taken and spare[name] then
      make(spare[name])
    end
  end
end

--- Makes the first key of an action that nobody else has in the buffer; returns it, or nil.
function M.make(buffer, name)
  local made
  each_key(name, function(key)
    if not made and owner_of(buffer, key) ~= "other" then
      made = key
      vim.keymap.set("n", key, actions[name][2], { buffer = buffer, silent = true, desc = "bodkin: " .. actions[name][3] })
    end
  end)
  return made
end

function M.remove(buffer, key)
  if owner_of(buffer, key) == "bodkin" then
    pcall(vim.keymap.del, "n", key, { buffer = buffer })
  end
end

function M.end_review(buffer)
  local made = mapped[buffer] or {}
  mapped[buffer] = nil
  for key, name in pairs(made) do
    if vim.api.nvim_buf_is_valid(buffer) and owner_of(buffer, key) == "bodkin" then
      pcall(vim.keymap.del, "n", key, { buffer = buffer })
      if is_of_diff(key) and vim.fn.mapcheck(key, "n") == "" then -- else it is the user's own again
        make_key(buffer, key, name)
      end
    end
  end
end

return M
