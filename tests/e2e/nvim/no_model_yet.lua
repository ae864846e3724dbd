-- the first ask without a model offers there and then what can be done: a key, the prompt for any chat
local t = ...
t.write("a.py", "x = 1\n")
vim.env.HTTPS_PROXY = "http://127.0.0.1:1" -- where nobody listens: OpenAI is not asked for its models
t.setup()
t.open("a.py")
local menus = {}
local function take(part)
  vim.ui.select = function(items, options, chosen)
    local titles = vim.tbl_map(options.format_item, items)
    table.insert(menus, options.prompt .. " " .. table.concat(titles, " | "))
    for index, title in ipairs(titles) do
      if title:find(part, 1, true) then
        return chosen(items[index], index)
      end
    end
    chosen(nil)
  end
end
take("Copy the prompt")
vim.cmd("1Bodkin ask Make x ten")
t.wait("the menu", function()
  return #menus > 0
end)
if not menus[1]:find("No model yet", 1, true) then
  t.skip("there is a model on this machine: " .. menus[1])
end
t.contains(menus[1], "Set an API key", "the menu")
t.message("prompt in register")
t.contains(vim.fn.getreg(vim.fn.has("clipboard") == 1 and "+" or '"'), "Make x ten", "the prompt")
t.equal(#t.ended, 0, "the asks")
local before = #menus
vim.cmd("Bodkin retry") -- what was not asked is not lost
t.wait("the menu again", function()
  return #menus > before
end)
take("nothing of it")
vim.cmd("Bodkin retry")
t.message("nothing was asked (:Bodkin retry)")
vim.cmd("Bodkin reply")
t.message("has the prompt; copy the chat's answer first")

vim.cmd("Bodkin status")
t.wait("the status", function()
  return vim.api.nvim_win_get_config(0).relative ~= ""
end)
t.contains(t.float(), "none yet; :Bodkin model chooses one", "the status")
t.keys("q")

-- A key, kept in this Neovim and given to the server for its provider only.
local picks = { "Set an API key", "OpenAI" }
vim.ui.select = function(items, options, chosen)
  local part = table.remove(picks, 1)
  for index, item in ipairs(items) do
    if options.format_item(item):find(part, 1, true) then
      return chosen(item, index)
    end
  end
  t.fail("there is no " .. part)
end
vim.fn.inputsecret = function(options)
  t.equal(options.prompt, "API key for OpenAI, until you quit (for good: OPENAI_API_KEY): ", "the question")
  return "sk-not-sent-anywhere"
end
vim.cmd("Bodkin model")
t.message("your code goes to https://api.openai.com")
t.told("the model is")
t.told("your code goes to https://api.openai.com")
t.equal(require("bodkin.models").key_of("openai"), "sk-not-sent-anywhere", "the key")
t.equal(table.concat(t.messages, "\n"):find("listed no models", 1, true), nil, "a list that is missing, where there is a default")
for _, message in ipairs(vim.list_extend({ t.log() }, t.messages)) do
  t.equal(message:find("sk-not", 1, true), nil, "the key in " .. message)
end
t.equal(require("bodkin.models").key_of("anthropic"), nil, "another provider's key")

-- The models of another server are those that it lists, asked with its key.
local loop, asked = vim.uv or vim.loop, nil
local listed = 'HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n{"data": [{"id": "m1"}, {"id": "m2"}]}'
local answer = listed
local listener = loop.new_tcp()
listener:bind("127.0.0.1", 0)
listener:listen(1, function()
  local connection = loop.new_tcp()
  listener:accept(connection)
  connection:read_start(function(_, data)
    if data then
      asked = data
      connection:write(answer, function()
        connection:close()
      end)
    end
  end)
end)
picks = { "Set an API key", "Another OpenAI-compatible", "m2" }
vim.fn.inputsecret = function(options)
  local prompt = options.prompt
  -- With the variable of a well-known host the key would be given to that host in the next Neovim.
  t.equal(prompt:find("OPENAI_API_KEY", 1, true), nil, "the variable that the question names: " .. prompt)
  t.contains(prompt, "if it needs one", "the question")
  return "sk-only-there"
end
vim.ui.input = function(_, callback)
  callback("http://127.0.0.1:" .. listener:getsockname().port)
end
vim.cmd("Bodkin model")
t.message("the model is m2")
t.told("your code goes to http://127.0.0.1:" .. listener:getsockname().port)
t.contains(asked, "GET /v1/models", "the request")
t.contains(asked, "sk-only-there", "the request")

-- Another of its models, without the address and the key.
t.equal(vim.fn.strdisplaywidth(t.messages[#t.messages]) < 80, true, "the host is cut: " .. t.messages[#t.messages])
picks = { "127.0.0.1:" .. listener:getsockname().port .. ": its models…", "m1" }
vim.fn.inputsecret = function()
  t.fail("the key is asked for again")
end
vim.cmd("Bodkin model")
t.message("your code goes to http://127.0.0.1:" .. listener:getsockname().port .. "; the model is m1")

-- A wrong key: another is asked for there and then.
answer = "HTTP/1.1 401 Unauthorized\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}"
local asked_key
vim.fn.inputsecret = function(options)
  asked_key = options.prompt
  answer = listed
  return "sk-another"
end
picks = { "127.0.0.1:" .. listener:getsockname().port .. ": its models…", "m1" }
vim.cmd("Bodkin model")
t.wait("the list, asked for with the other key", function()
  return asked:find("sk-another", 1, true) ~= nil
end)
t.contains(asked_key, "refuses the API key.", "the question")
listener:close()
