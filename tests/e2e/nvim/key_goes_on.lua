-- an ask that was refused for its key is asked again when the key is given; how long the model may think is said per ask
local t = ...
t.write("a.py", "x = 1\n")
local loop, asked = vim.uv or vim.loop, {}
local listener = loop.new_tcp()
listener:bind("127.0.0.1", 0)
listener:listen(8, function()
  local connection, got = loop.new_tcp(), ""
  listener:accept(connection)
  connection:read_start(function(_, data)
    got = got .. (data or "")
    local head, body = got:match("^(.-\r\n)\r\n(.*)$")
    local length = head and tonumber(head:lower():match("content%-length: (%d+)") or 0)
    if not data or not head or #body < length then
      return
    end
    local answer = "HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}"
    if got:find("^POST") then
      table.insert(asked, got)
      answer = got:find("sk-right", 1, true)
          and 'HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Type: text/event-stream\r\n\r\ndata: {"choices": [{"index": 0, "delta": '
            .. '{"content": "It is one."}}]}\n\ndata: {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}\n\ndata: [DONE]\n\n'
        or "HTTP/1.1 401 Unauthorized\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}"
    end
    connection:write(answer, function()
      connection:close()
    end)
  end)
end)
local port = listener:getsockname().port
t.setup(nil, nil, { settings = { model = { provider = "openai-compatible", name = "m", endpoint = ("http://127.0.0.1:%d/v1"):format(port) } } })
t.open("a.py")
vim.cmd("Bodkin effort high What is x?")
t.message("(:Bodkin model, which asks again)")
t.contains(asked[1], '"reasoning_effort":"high"', "the first request")
vim.ui.select = function(items, options, chosen)
  for index, item in ipairs(items) do
    if options.format_item(item):find("Set the key of openai", 1, true) then
      return chosen(item, index)
    end
  end
  t.fail("the key of the server that refused cannot be set")
end
vim.ui.input = function()
  t.fail("the address is asked for again")
end
vim.fn.inputsecret = function()
  return "sk-right"
end
vim.cmd("Bodkin model")
t.message("It is one.")
t.equal(#asked, 2, "the requests")
t.contains(asked[2], '"reasoning_effort":"high"', "the second request")
listener:close()
