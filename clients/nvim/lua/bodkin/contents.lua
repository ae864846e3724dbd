-- What a proposal makes of its files by now, as the server knows it: bodkin/proposalContent.
local M = {}

local client_of = require("bodkin.client")
local method = require("bodkin.extensions").proposal_content

--- callback(content) for one file; the user is told if there is none.
function M.of(proposal, uri, callback)
  local client = client_of.of_proposal(proposal)
  if client then
    client_of.request(client, method, { proposalId = proposal.id, uri = uri }, callback)
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
    client_of.request(client, method, { proposalId = proposal.id, uri = file.uri }, answered, nil, function()
      answered(nil)
    end)
  end
end

return M
