-- What a proposal makes of its files by now, as the server knows it: bodkin/proposalContent.
local M = {}

local client_of = require("bodkin.client")
local files = require("bodkin.files")
local method = require("bodkin.extensions").proposal_content

--- callback(content) for one file of a client's proposal; on_error(message) if there is none, else the user is told.
function M.ask(client, proposal, uri, callback, buffer, on_error)
  client_of.request(client, method, { proposalId = proposal.id, uri = uri }, function(content)
    for _, hunk in ipairs(content and content.changed or {}) do
      hunk.uri = files.uri(hunk.uri)
    end
    callback(content)
  end, buffer, on_error)
end

--- The same with a warning if the server is gone.
function M.of(proposal, uri, callback)
  local client = client_of.of_proposal(proposal)
  if client then
    M.ask(client, proposal, uri, callback)
  end
end

--- callback(contents, client) once all files are known: contents[position] of proposal.files[position], false if the server
--- does not have it.
function M.of_all(proposal, callback)
  local client = client_of.of_proposal(proposal)
  if not client then
    return
  end
  local contents, left = {}, #proposal.files
  for position, file in ipairs(proposal.files) do
    local function answered(content)
      contents[position] = content or false
      left = left - 1
      if left == 0 then
        callback(contents, client)
      end
    end
    M.ask(client, proposal, file.uri, answered, nil, function()
      answered(nil)
    end)
  end
end

return M
