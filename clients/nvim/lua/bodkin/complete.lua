-- Completion of requests while they are typed: what may follow an @, and slash commands. The server knows them.
local M = {}

local client_of = require("bodkin.client")
local extensions = require("bodkin.extensions")

-- For input(): what is typed there is a request.
M.kind = "customlist,v:lua.require'bodkin.complete'.list"

local patience = 3000 -- milliseconds; CTRL-C ends the wait, too

--- The byte of `text` at `offset` in the server's encoding.
function M.byte_at(text, offset, encoding)
  if encoding == "utf-8" then
    return offset
  end
  local byte, units = 0, 0
  for character in text:gmatch("[%z\1-\127\194-\244][\128-\191]*") do
    if units >= offset then
      break
    end
    byte = byte + #character
    units = units + ((encoding == "utf-16" and #character == 4) and 2 or 1)
  end
  return byte
end

--- What `text`, a request up to the cursor, can become: a list of whole texts. `buffer`: what the request is about.
function M.texts(text, buffer)
  local client = client_of.of(buffer or vim.api.nvim_get_current_buf()) or client_of.all()[1]
  local answer = client and client.initialized and client_of.request_sync(client, extensions.complete, { text = text }, patience)
  if type(answer) ~= "table" then
    return {}
  end
  local kept = text:sub(1, M.byte_at(text, answer.start, client.offset_encoding or "utf-16"))
  return vim.tbl_map(function(item)
    return kept .. item.insertText
  end, answer.items)
end

--- As Neovim calls it; `lead` is all that is typed, up to the cursor.
function M.list(lead)
  return M.texts(lead)
end

return M
