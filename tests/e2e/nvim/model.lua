-- :Bodkin model lists the models that can answer and switches to one
local t = ...
t.write("a.py", "x = 1\n")
vim.env.OPENAI_API_KEY = "sk-not-sent-anywhere"
t.setup({ t.block("a.py", "x = 1\n", "x = 10\n") })
t.open("a.py")
local menu
vim.ui.select = function(items, options, on_choice)
  menu = { items = items, format = options.format_item, take = on_choice }
end
vim.cmd("Bodkin model")
t.wait("the menu", function()
  return menu
end)
local chosen
for _, item in ipairs(menu.items) do
  if item.provider == "openai" then
    chosen = item
  end
end
if not chosen then
  t.fail("OpenAI is not in the menu: " .. vim.inspect(menu.items))
end
t.contains(menu.format(chosen), "openai: " .. chosen.name, "the menu's line")
menu.take(chosen)
t.message("the model is " .. chosen.name)
vim.cmd("Bodkin model no-such-model")
t.message("unknown model no-such-model")
vim.cmd("Bodkin model " .. chosen.name)
t.wait("the same by its name", function()
  local count = 0
  for _, each in ipairs(t.messages) do
    count = count + (each:find("the model is " .. chosen.name, 1, true) and 1 or 0)
  end
  return count == 2
end)
