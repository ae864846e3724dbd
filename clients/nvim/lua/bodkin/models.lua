-- Choosing a model, also when there is none yet: a local server that was found, a key, or any chat through the clipboard.
local M = {}

local client_of = require("bodkin.client")
local extensions = require("bodkin.extensions")

-- Keys that the user has typed, by the provider's name or "name@https://host": only in this Neovim, and only for the server.
local keys = {}

local lacking -- the name that the server asked a key for last

--- The key that was given for a provider, as the server asks for it.
function M.key_of(name)
  lacking = name
  return keys[name]
end

-- The servers that they are for, by the names that the user knows: {provider, endpoint or nil}. Another of their models can
-- be chosen without the key.
local given = {}

local function select_model(client, choice, done)
  local arguments = { provider = choice.provider, name = choice.name or "", endpoint = choice.endpoint }
  client_of.execute(client, "bodkin.selectModel", arguments,
    function(result)
      require("bodkin.kept").model(client, arguments)
      local where = (result.host or "") ~= "" and "your code goes to " .. result.host .. "; " or ""
      -- Where the code goes must not be cut, so it is first: how long it is so is in the log.
      client_of.notify(("%sthe model is %s"):format(where, result.model))
      require("bodkin.log").message(client_of.plain(result.message or ""))
      done(true)
    end)
end

-- Asks for a key without showing it: "" if none was typed, nil if it was cancelled.
local function secret(prompt)
  local ok, text = pcall(vim.fn.inputsecret, { prompt = prompt, cancelreturn = "\27" })
  vim.cmd("redraw")
  return ok and text ~= "\27" and vim.trim(text) or nil
end

-- Keeps a key that was typed, for a provider or one server of it.
local function keep_key(provider, endpoint, key)
  keys[endpoint and provider .. "@" .. endpoint:match("^%w+://[^/]+") or provider] = key
end

-- callback(name) with one of the models that the provider's server lists, or a name that is typed; "": its default.
local function ask_name(client, provider, endpoint, callback)
  local ui = require("bodkin.ui")
  local function typed(why)
    ui.input({ prompt = (why or "") .. "Name of the model: " }, function(name)
      name = name and vim.trim(name)
      callback(name ~= "" and name or nil)
    end)
  end
  client_of.request(client, "workspace/executeCommand", {
    command = "bodkin.listModels",
    arguments = { { provider = provider, endpoint = endpoint } },
  }, function(result)
    local items = {}
    if not endpoint and result.default ~= "" then
      table.insert(items, { title = "Its default (" .. result.default .. ")", name = "" })
    end
    for _, name in ipairs(result.models) do
      table.insert(items, { title = client_of.plain(name), name = name })
    end
    table.insert(items, { title = "Another: type its name" })
    ui.select(items, {
      prompt = "Which model?",
      format_item = function(item)
        return item.title
      end,
    }, function(item)
      if item and not item.name then
        return typed()
      end
      callback(item and item.name)
    end)
  end, nil, function(why, more)
    if more and vim.startswith(more.setting or "", "bodkin.model.apiKey") then
      local key = secret(client_of.plain(why) .. " API key, until you quit: ")
      if not key or key == "" then
        return callback(nil)
      end
      keep_key(provider, endpoint, key)
      return ask_name(client, provider, endpoint, callback)
    end
    -- It listed none: its default will do, if it has one.
    if endpoint then
      return typed(client_of.plain(why) .. "\n")
    end
    callback("")
  end)
end

-- One of a server's models.
local function choose_of(client, server, done)
  ask_name(client, server.provider, server.endpoint, function(name)
    if not name then
      return done(false)
    end
    local choice = { provider = server.provider, name = name, endpoint = server.endpoint }
    select_model(client, choice, function(chosen)
      if not chosen or not server.endpoint or server.offered then
        return done(chosen)
      end
      server.offered = true
      require("bodkin.keep_server").offer(choice, server.has_key, function()
        done(chosen) -- not before: the model's answer would wait for this one
      end)
    end)
  end)
end

local function take_key(client, row, endpoint, done)
  local whose = endpoint and endpoint:match("^%w+://([^/]+)") or row.title
  -- Another server may want none; how it is kept for good is offered afterwards.
  local key = secret(endpoint and ("API key for %s, if it needs one: "):format(whose)
    or ("API key for %s, until you quit (for good: %s): "):format(whose, row.variable))
  if not key or (key == "" and not endpoint) then
    return done(false)
  end
  if key ~= "" then
    keep_key(row.provider, endpoint, key)
  end
  given[whose] = { provider = row.provider, endpoint = endpoint, has_key = key ~= "" }
  choose_of(client, given[whose], done)
end

-- On this machine servers speak HTTP; to any other a key must not travel so.
local function with_scheme(address)
  if address:find("://", 1, true) then
    return address
  end
  local host = address:match("^%[.-%]") or address:match("^[^:/]*")
  local is_here = host == "localhost" or host == "[::1]" or host:find("^127%.%d+%.%d+%.%d+$") ~= nil
  return (is_here and "http://" or "https://") .. address
end

local function ask_address(client, row, done)
  require("bodkin.ui").input({ prompt = "Address of the server, as localhost:8080/v1 or https://host/v1: " }, function(address)
    address = address and vim.trim(address) or ""
    if address == "" then
      return done(false)
    end
    take_key(client, row, with_scheme(address), done)
  end)
end

local function set_key(client, providers, done)
  require("bodkin.ui").select(providers, {
    prompt = "A key for which provider?",
    format_item = function(item)
      return client_of.plain(item.title)
    end,
  }, function(item)
    if not item then
      return done(false)
    elseif item.needsAddress then
      return ask_address(client, item, done)
    end
    take_key(client, item, nil, done)
  end)
end

-- A menu of what there is to choose from. `otherwise`: more entries, {title, run(done)}.
local function menu(client, prompt, otherwise, done)
  client_of.execute(client, "bodkin.selectModel", {}, function(result)
    local items = vim.list_extend({}, result.models or {})
    local with_keys = vim.tbl_filter(function(each)
      return each.needsKey or each.needsAddress
    end, result.providers)
    local other_server = vim.tbl_filter(function(each)
      return each.provider == "openai-compatible"
    end, result.providers)[1]
    for whose, server in pairs(given) do
      table.insert(items, { title = ("%s: its models…"):format(whose), run = function(finished)
        choose_of(client, server, finished)
      end })
    end
    table.insert(items, { title = "Set an API key…", run = function(finished)
      set_key(client, with_keys, finished)
    end })
    table.insert(items, { title = "Your own server: type its address…", run = function(finished)
      ask_address(client, other_server, finished)
    end })
    vim.list_extend(items, otherwise)
    require("bodkin.ui").select(items, {
      prompt = prompt,
      format_item = function(item)
        return client_of.plain(item.title .. ((item.detail or "") ~= "" and " (" .. item.detail .. ")" or ""))
      end,
    }, function(item)
      if not item then
        return done(false)
      elseif item.run then
        return item.run(done)
      end
      select_model(client, item, done)
    end)
  end)
end

-- For the model that is chosen: its provider and its address are known.
local function set_wanted_key(done)
  local key = secret(("API key for %s, until you quit: "):format(client_of.plain(lacking)))
  if key and key ~= "" then
    keys[lacking] = key
  end
  done(key ~= nil and key ~= "")
end

--- :Bodkin model: a menu, or the model with this name or title.
function M.choose(client, wanted)
  local function done(chosen)
    if chosen then
      require("bodkin.asks").model_chosen()
    end
  end
  if wanted == "" then
    local failed = require("bodkin.asks").wants_key() and lacking
    return menu(client, "Which model?", failed and { { title = ("Set the key of %s…"):format(failed), run = function(finished)
      set_wanted_key(finished)
    end } } or {}, done)
  end
  client_of.execute(client, "bodkin.selectModel", {}, function(result)
    for _, one in ipairs(result.models or {}) do
      if one.name == wanted or one.title == wanted then
        return select_model(client, one, done)
      end
    end
    client_of.warn(("unknown model %s; :Bodkin model lists the reachable ones"):format(wanted))
  end)
end

--- True if a model is chosen. Without a model the server names the setting, and no host.
function M.is_chosen(status)
  return (status.model or "") ~= "" and not (status.model == "auto" and (status.host or "") == "")
end

--- Runs go() if there is a model; else offers, there and then, what can be done. `copy()`, if that is possible: copies the
--- prompt instead. given_up(): nothing was chosen.
function M.with_model(client, go, copy, given_up)
  if M.is_chosen(require("bodkin.status").get(client.id)) then
    return go()
  end
  client_of.when_ready(client, function()
    client_of.request(client, extensions.status, vim.empty_dict(), function(status)
      if M.is_chosen(status) then
        return go()
      end
      local others = { { title = "Help", run = function()
        vim.cmd("help bodkin-settings")
        given_up()
      end } }
      if copy then
        table.insert(others, 1, { title = "Copy the prompt, to paste into any chat (:Bodkin reply takes the answer)", run = copy })
      end
      menu(client, "No model yet. What now?", others, function(chosen)
        if chosen then
          return go()
        end
        given_up()
      end)
    end)
  end)
end

return M
