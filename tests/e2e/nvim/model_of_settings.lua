-- :Bodkin model lists what the server of the settings serves, and switches to one by its name
local t = ...
t.write("a.py", "x = 1\n")
local loop = vim.uv or vim.loop
local listener = loop.new_tcp()
listener:bind("127.0.0.1", 0)
listener:listen(9, function()
  local connection = loop.new_tcp()
  listener:accept(connection)
  connection:read_start(function(_, data)
    if data then
      connection:write('HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n{"data": [{"id": "played-1"}, {"id": "played-2"}]}', function()
        connection:close()
      end)
    end
  end)
end)
t.setup(nil, { model = { provider = "openai-compatible", endpoint = "http://127.0.0.1:" .. listener:getsockname().port .. "/v1" } })
t.open("a.py")
local titles
vim.ui.select = function(items, options, chosen)
  titles = table.concat(vim.tbl_map(options.format_item, items), "\n")
  chosen(items[1], 1)
end
vim.cmd("Bodkin model")
t.message("the model is played-1")
t.contains(titles, "openai-compatible: played-1 (at the address in your settings)\nopenai-compatible: played-2 (at the address in your settings)", "the menu")
vim.cmd("Bodkin model played-2")
t.message("the model is played-2")
t.told("your code goes to http://127.0.0.1:" .. listener:getsockname().port)
listener:close()
