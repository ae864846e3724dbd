-- a server whose key was typed can be kept in settings.json, with a variable of its own for the key and never the key
local t = ...
t.write("a.py", "x = 1\n")
local config = vim.env.WORK .. "-config"
vim.env.XDG_CONFIG_HOME = config
vim.fn.delete(config, "rf")
t.setup({ "Nothing." })
t.open("a.py")
local answers = { "Set an API key…", "Another OpenAI-compatible server", "Another: type its name", "Keep its address" }
vim.ui.select = function(items, options, on_choice)
  local wanted = table.remove(answers, 1)
  for _, item in ipairs(items) do
    if wanted and (options.format_item or tostring)(item):find(wanted, 1, true) then
      return on_choice(item)
    end
  end
  t.fail(("%s is not in the menu %s"):format(tostring(wanted), options.prompt))
end
local typed = { "127.0.0.1:9/v1", "big-one" }
vim.ui.input = function(_, on_confirm)
  on_confirm(table.remove(typed, 1))
end
vim.fn.inputsecret = function()
  return "sk-private"
end
table.remove(answers, 3) -- nothing listens there: its name is typed at once
vim.cmd("Bodkin model")
t.message("put the key into KEY_OF_127_0_0_1_9_API_KEY")
local kept = table.concat(vim.fn.readfile(config .. "/bodkin/settings.json"), "\n")
t.equal(vim.fn.json_decode(kept), {
  ["bodkin.model.provider"] = "openai-compatible",
  ["bodkin.model.endpoint"] = "http://127.0.0.1:9/v1",
  ["bodkin.model.name"] = "big-one",
  ["bodkin.model.apiKeyEnv"] = "KEY_OF_127_0_0_1_9_API_KEY",
}, "settings.json")
t.equal(kept:find("sk-private", 1, true), nil, "the key in it")

-- A server that wants no key is none of a key's menu, and is kept without a variable. What was asked is sent after the
-- last question: its answer would wait for it.
vim.fn.delete(config, "rf")
answers = { "Your own server", "Keep its address" }
typed = { "localhost:9/v1", "small-one" }
vim.fn.inputsecret = function()
  return ""
end
vim.cmd("Bodkin model")
t.message("settings.json has the address and the model")
t.equal(vim.fn.json_decode(table.concat(vim.fn.readfile(config .. "/bodkin/settings.json"), "\n")), {
  ["bodkin.model.provider"] = "openai-compatible",
  ["bodkin.model.endpoint"] = "http://localhost:9/v1",
  ["bodkin.model.name"] = "small-one",
}, "settings.json of a server without a key")
t.equal(require("bodkin.models").key_of("openai-compatible@http://localhost:9"), nil, "its key")

