-- positions are in the encoding of the buffer's other servers, or in utf-16, as Neovim takes one for all; edits are right in both
local t = ...
if vim.fn.has("nvim-0.11") == 0 then
  return t.skip("this Neovim knows utf-16 only")
end

-- Another server, which does nothing.
local function server_of(encoding)
  return function()
    local closing = false
    return {
      request = function(method, _, callback)
        callback(nil, method == "initialize" and { capabilities = { positionEncoding = encoding } } or nil)
        return true, 1
      end,
      notify = function()
        return true
      end,
      is_closing = function()
        return closing
      end,
      terminate = function()
        closing = true
      end,
    }
  end
end

t.setup({ t.block("one/a.py", "s = 'é😀'; x = 1\n", "s = 'é😀'; x = 2\n"),
  t.block("two/a.py", "s = 'é😀'; x = 1\n", "s = 'é😀'; x = 2\n") }, nil, { autostart = false })
for number, case in ipairs({ { "one", "utf-16" }, { "two", "utf-8" } }) do
  local folder, encoding = unpack(case)
  local name = folder .. "/a.py"
  t.write(folder .. "/.git/HEAD", "")
  t.write(name, "s = 'é😀'; x = 1\n")
  vim.cmd("edit " .. t.path(name))
  local id = vim.lsp.start({ name = "other", cmd = server_of(encoding), root_dir = t.path(folder) })
  t.wait("the other server", function()
    return vim.lsp.get_client_by_id(id).initialized
  end)
  vim.cmd("1Bodkin ask Two")
  local proposal = t.proposal(number)
  t.end_of_ask(number)
  t.equal(require("bodkin.client").of(0).offset_encoding, encoding, "the encoding")
  vim.cmd("Bodkin apply")
  t.equal(t.outcome(proposal), "applied", "the outcome")
  t.equal(t.text(name), "s = 'é😀'; x = 2\n", "the text")
end
