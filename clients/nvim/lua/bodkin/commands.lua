-- :Bodkin and its subcommands, one row per subcommand.
local M = {}

local client_of = require("bodkin.client")
local extensions = require("bodkin.extensions")
local requests = require("bodkin.requests")

-- Opens a preview. Showing an older one is harmless, and later commands apply to the one that is shown.
local function show_in(module)
  return function(_, id)
    local shown = require("bodkin.diff").here() or require("bodkin.unified").here()
    local drawn = require("bodkin.inline").of(vim.api.nvim_get_current_buf())
    local open = id == "" and not shown and (drawn and drawn.proposal or require("bodkin.proposals").pending()[1])
    local uri = drawn and drawn.file.uri or nil
    if open then
      return require(module).open(open, uri)
    end
    require("bodkin.proposals").with(id, function(proposal)
      require(module).open(proposal)
    end)
  end
end

-- undo and redo: without an id the server knows which one was the last.
local function reverting(name)
  return function(_, id)
    local proposals = require("bodkin.proposals")
    if id ~= "" and proposals.find(id) then
      return proposals.with(id, proposals[name])
    end
    requests.with_any(function(client) -- the server also knows those of earlier runs
      client_of.execute(client, "bodkin." .. name, { proposalId = id ~= "" and id or nil })
    end)
  end
end

-- Says the mode, and that it does not do here what it says.
local function tell_mode(name, is_trusted)
  local held = name == "auto" and is_trusted == false
  client_of.notify("the mode is " .. name .. (held and ", but edits wait: this folder is not trusted" or ""))
end

local modes = { "confirm", "auto", "human", "plan" }

-- Shows the mode, or sets it.
local function mode(_, wanted)
  if wanted ~= "" and not vim.tbl_contains(modes, wanted) then
    return client_of.warn(":Bodkin mode takes nothing, " .. table.concat(modes, ", ", 1, #modes - 1) .. " or " .. modes[#modes])
  end
  requests.with_any(function(client)
    if wanted == "" then
      return client_of.request(client, extensions.status, vim.empty_dict(), function(result)
        tell_mode(result.mode or "confirm", result.trusted)
      end)
    end
    client_of.execute(client, "bodkin.setMode", { mode = wanted }, function(result)
      require("bodkin.kept").mode(client, result.mode)
      tell_mode(result.mode, require("bodkin.status").get(client.id).trusted)
    end)
  end)
end

--- A menu of the modes.
function M.choose_mode()
  require("bodkin.ui").select(modes, { prompt = "Which mode?" }, function(wanted)
    if wanted then
      mode(nil, wanted)
    end
  end)
end

-- How long the model may think about a request: `words` begin with it, or a menu asks.
local efforts = { "auto", "none", "low", "medium", "high", "max" }
local function ask_with_effort(command, words)
  local effort, rest = words:match("^(%S+)%s*(.*)$")
  if vim.tbl_contains(efforts, effort) then
    return requests.ask(command, rest, effort)
  end
  require("bodkin.ui").select(efforts, { prompt = "How long may the model think?" }, function(chosen)
    if chosen then
      requests.ask(command, words, chosen)
    end
  end)
end

-- Trusts the open folder, unless setup{} decides.
local function trust()
  if require("bodkin.config").get().trusted ~= nil then
    return client_of.warn("setup{trusted = …} decides that (:help bodkin-trust)")
  end
  requests.with_any(function(client)
    client_of.execute(client, "bodkin.trust", vim.empty_dict(), function(result)
      local function short(path)
        return vim.fn.fnamemodify(path, ":~")
      end
      local folders = table.concat(vim.tbl_map(short, result.folders or {}), ", ")
      client_of.notify(("%s is now trusted, in %s"):format(folders, short(result.file)))
    end)
  end)
end

-- Shows a text from the server.
local function show(name, title)
  return function()
    requests.with_any(function(client)
      client_of.execute(client, name, {}, function(result)
        require("bodkin.float").text(vim.split(client_of.plain(vim.trim(result.text or "")), "\n", { plain = true }), title)
      end)
    end)
  end
end

local function status()
  local count = require("bodkin.status").count
  requests.with_any(function(client)
    client_of.request(client, extensions.status, vim.empty_dict(), function(result)
      local usage = result.usage or {}
      local lines = {
        "model      " .. (require("bodkin.models").is_chosen(result) and result.model or "none yet; :Bodkin model chooses one"),
        "mode       " .. (result.mode or "confirm"),
        "trust      " .. (result.trusted and "this folder is trusted" or "this folder is not trusted (:Bodkin trust)"),
        "sent to    " .. ((result.host or "") ~= "" and result.host or "nowhere"),
        "asks       " .. #(result.asks or {}),
        "proposals  " .. (result.proposals or 0),
        ("tokens     %s in, %s out"):format(count(usage.input or 0), count(usage.output or 0)),
      }
      if (result.nextEdits or "") ~= "" then
        local used = result.nextEditsUsage or {}
        table.insert(lines, 5, "next edits " .. result.nextEdits)
        lines[#lines + 1] = ("           %s in, %s out for next edits"):format(count(used.input or 0), count(used.output or 0))
      end
      for _, server in ipairs(result.servers or {}) do
        lines[#lines + 1] = ("checks     %s: %.0f MB, %.1f s of a processor"):format(server.name, server.memory / 1e6, server.cpuMs / 1000)
      end
      require("bodkin.float").text(vim.tbl_map(client_of.plain, lines), "status")
    end)
  end)
end

local function proposal_ids()
  return vim.tbl_map(function(proposal)
    return proposal.id
  end, require("bodkin.proposals").pending())
end

-- accept and reject: the change at the cursor, those of its file, or the whole proposal.
local function deciding(name)
  return {
    run = function(_, scope)
      scope = scope == "" and "hunk" or scope
      if scope ~= "hunk" and scope ~= "file" and scope ~= "all" then
        return client_of.warn((":Bodkin %s takes nothing, file or all"):format(name))
      end
      require("bodkin.review")[name](scope)
    end,
    complete = function()
      return { "all", "file" }
    end,
  }
end

local function calling(module, name, ...)
  local arguments = { ... }
  return { run = function()
    require(module)[name](unpack(arguments))
  end }
end

local function on_proposal(name)
  return {
    run = function(_, id)
      require("bodkin.proposals").with(id, function(proposal)
        if id ~= "" or not require("bodkin.unseen").is_unseen(proposal) then
          require("bodkin.proposals")[name](proposal)
        end
      end)
    end,
    complete = proposal_ids,
  }
end

-- name -> {run(command, rest), complete()?, complete_text?}; complete_text: the rest is a request
-- Decides: which commands Neovim has.
local subcommands = {
  ask = { run = requests.ask, complete_text = true },
  effort = {
    run = ask_with_effort,
    complete = function()
      return efforts
    end,
  },
  new = { run = requests.new, complete_text = true },
  explain = {
    run = function(command, words)
      requests.ask(command, vim.trim("/explain " .. words))
    end,
    complete_text = true,
  },
  run = {
    run = requests.run,
    complete = function()
      return vim.tbl_map(function(text)
        return vim.trim(text:sub(2))
      end, require("bodkin.complete").texts("/"))
    end,
  },
  commit = { run = requests.commit },
  fix = { run = requests.fix },
  retry = calling("bodkin.asks", "retry"),
  carryout = calling("bodkin.asks", "carry_out"),
  refine = { run = requests.refine, complete_text = true },
  next = calling("bodkin.review", "go", 1),
  prev = calling("bodkin.review", "go", -1),
  accept = deciding("accept"),
  reject = deciding("reject"),
  hunk = calling("bodkin.review", "accept", "hunk"),
  proposals = calling("bodkin.proposal_menu", "open"),
  apply = on_proposal("apply"),
  discard = {
    run = function(command, id)
      if id == "all" then
        return require("bodkin.proposals").discard_all()
      end
      on_proposal("discard").run(command, id)
    end,
    complete = function()
      return vim.list_extend({ "all" }, proposal_ids())
    end,
  },
  why = {
    run = function(_, id)
      require("bodkin.proposals").with(id, require("bodkin.why").show)
    end,
    complete = proposal_ids,
  },
  diff = { run = show_in("bodkin.diff"), complete = proposal_ids },
  unified = { run = show_in("bodkin.unified"), complete = proposal_ids },
  undo = {
    run = reverting("undo"),
    complete = function()
      return require("bodkin.proposals").applied()
    end,
  },
  redo = {
    run = reverting("redo"),
    complete = function()
      return require("bodkin.proposals").put_aside()
    end,
  },
  answer = {
    run = function()
      requests.with_any(require("bodkin.questions").ask, "waiting")
    end,
  },
  sessions = {
    run = requests.sessions,
    complete = function()
      return { "delete", "rename" }
    end,
  },
  resume = { run = requests.sessions },
  cancel = { run = requests.cancel },
  mode = {
    run = mode,
    complete = function()
      return modes
    end,
  },
  model = {
    run = function(_, wanted)
      requests.with_any(function(client)
        require("bodkin.models").choose(client, wanted)
      end)
    end,
  },
  check = { run = show("bodkin.check", "check") },
  trust = { run = trust },
  usage = { run = show("bodkin.usage", "usage") },
  reply = { run = requests.reply },
  prompt = { run = requests.prompt, complete_text = true },
  status = { run = status },
  log = {
    run = function(command)
      require("bodkin.window")[command.bang and "close" or "open"]()
    end,
  },
  restart = calling("bodkin.client", "restart"),
}

local function names()
  local result = vim.tbl_keys(subcommands)
  table.sort(result)
  return result
end

--- command: as nvim_create_user_command gives it.
function M.run(command)
  local name, rest = command.args:match("^%s*(%S*)%s*(.-)%s*$")
  local subcommand = subcommands[name]
  if not subcommand then
    return client_of.warn(name == "" and "which command? :Bodkin <Tab> lists them"
      or ("unknown command :Bodkin %s; :Bodkin <Tab> lists them"):format(client_of.plain(name)))
  end
  if name == "cancel" or not require("bodkin.ui").is_in_cmdwin() then
    subcommand.run(command, rest)
  end
end

-- Neovim replaces the last word, `lead`; completions that begin before it cannot be offered.
local function complete_request(text, lead)
  local before = text:sub(1, #text - #lead)
  local result = {}
  for _, whole in ipairs(require("bodkin.complete").texts(text)) do
    if vim.startswith(whole, before) then
      table.insert(result, whole:sub(#before + 1))
    end
  end
  return result
end

function M.complete(lead, line, position)
  line = line:sub(1, position or #line)
  local name, rest = line:match("Bodkin!?%s+(%S+)%s+(.*)$")
  local subcommand = name and subcommands[name]
  if subcommand and subcommand.complete_text then
    return complete_request(rest, lead)
  end
  local candidates = names()
  if name then
    candidates = subcommand and subcommand.complete and subcommand.complete() or {}
  end
  return vim.tbl_filter(function(candidate)
    return vim.startswith(candidate, lead)
  end, candidates)
end

return M
