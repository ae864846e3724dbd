-- What is said of a proposal in a line.
local M = {}

local files = require("bodkin.files")
local verdict = require("bodkin.verdict")

local plural = files.plural

-- "line 2 has changed", "lines 2 and 9 have changed"; of several files with their names.
local function changed_lines(proposal, hunks)
  local places = vim.tbl_map(function(hunk)
    local line = tostring(hunk.range.start.line + 1)
    return #proposal.uris == 1 and line or line .. " of " .. files.name(hunk.uri)
  end, hunks)
  local last = table.remove(places)
  if #places == 0 then
    return ("line %s has changed"):format(last)
  end
  return ("lines %s and %s have changed"):format(table.concat(places, ", "), last)
end

--- "3 changes in 2 files, not checked". `content`: of bodkin/proposalContent, with which it says what is left by now:
--- "3 of 4 changes; line 2 has changed, not checked".
function M.size(proposal, content)
  local verified = verdict.words(proposal.verification)
  if content and content.pending and content.pending < content.hunkCount then
    return ("%d of %s%s, %s"):format(content.pending, plural(content.hunkCount, "change"),
      #content.changed > 0 and "; " .. changed_lines(proposal, content.changed) or " left", verified)
  end
  return ("%s in %s, %s"):format(plural(#proposal.hunks, "change"),
    #proposal.uris == 1 and files.name(proposal.uris[1]) or plural(#proposal.uris, "file"), verified)
end

--- "Makefile: runs commands when you build (and 1 more, :Bodkin log)", or nil.
function M.noted(proposal)
  local first, more = proposal.notes[1], #proposal.notes - 1
  if not first then
    return nil
  end
  return first .. (more > 0 and (" (and %d more, :Bodkin log)"):format(more) or "")
end

-- Where another proposal is shown, a command without an id means that one: the command that shows this one, or nil.
local function way_past(proposal)
  local shown = not vim.tbl_contains(proposal.uris, files.of_buffer(vim.api.nvim_get_current_buf()))
    and (require("bodkin.diff").here() or require("bodkin.unified").here() or require("bodkin.review").here())
  return shown and shown.id ~= proposal.id and ":Bodkin diff " .. proposal.id or nil
end

--- What is said of a new one, and the command to go on with. The caveat first: a message that is too long loses its end.
-- What is to be known before it is applied comes with the counts, if there is room for both, in place of the verdict,
-- which the file has, too.
function M.announced(proposal, restored)
  local note, hint = M.noted(proposal), proposal.way or way_past(proposal) or ":Bodkin diff"
  if note then
    local extent = files.extent(proposal):gsub(" in 1 file$", "") -- which the note names
    local both = ("%s; %s"):format(extent, note)
    local room = vim.v.echospace - vim.fn.strdisplaywidth(both)
    return room >= 0 and both or note, room >= #hint + 3 and hint or nil
  elseif restored then
    return ("still proposed: “%s”; %s"):format(proposal.title, verdict.in_short(proposal.verification)), hint
  end
  local short = verdict.in_short(proposal.verification)
  if not proposal.way and hint ~= ":Bodkin diff" then -- an id is long
    return ("%s; %s"):format(files.extent(proposal), verdict.in_brief(short)), hint
  end
  return ("%s; %s"):format(short, files.extent(proposal)), hint
end

return M
