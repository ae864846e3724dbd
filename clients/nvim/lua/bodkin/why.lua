-- What is known of a proposal: its changes and where they were placed, what was found in them, and the model's words.
local M = {}

local client_of = require("bodkin.client")
local files = require("bodkin.files")
local verdict = require("bodkin.verdict")

local forgiven = {
  trailing_space = "trailing blanks", punctuation = "typographic punctuation", indentation = "the indentation",
  trimmed = "the indentation of some lines", whitespace = "blanks", cosmetic = "line numbers, escapes or blank lines around the quote",
  elision = "the lines that an ellipsis stands for", gaps = "blank lines and comments", fuzzy = "a line that was changed since",
}

-- "a.py, line 3: placed there in spite of a difference in the indentation", and below it what was found there. Which of
-- several changes of a file was placed so is not known.
local function places_of(proposal)
  local lines, counts = {}, {}
  for _, hunk in ipairs(proposal.hunks) do
    counts[hunk.uri] = (counts[hunk.uri] or 0) + 1
  end
  for _, hunk in ipairs(proposal.hunks) do
    local differs = forgiven[hunk.quality]
    if differs and counts[hunk.uri] ~= 1 then
      if counts[hunk.uri] then
        table.insert(lines, ("  %s: one of its changes, or more, was placed in spite of a difference in %s"):format(
          files.name(hunk.uri), differs))
      end
      counts[hunk.uri], differs = nil, nil
    end
    table.insert(lines, ("  %s, line %d%s"):format(files.name(hunk.uri), hunk.range.start.line + 1,
      differs and ": placed there in spite of a difference in " .. differs or ""))
    for _, problem in ipairs(verdict.found_in(proposal.verification, hunk.index)) do
      table.insert(lines, "    " .. problem[1])
    end
  end
  return lines
end

--- Shows what the proposal changes and why there, what was checked, and what the model said when it made it.
function M.show(proposal)
  local text = proposal.ask_id and require("bodkin.log").words_of(proposal.ask_id)
    or proposal.has_words and "What the model said is no longer here: bodkin history has it."
    or "No model was asked for it: its edits were pasted, or are your own."
  local left = proposal.left and proposal.left > 0 and proposal.left < #proposal.hunks
  local lines = { ("“%s”: %s%s"):format(client_of.plain(proposal.title), files.extent(proposal),
    left and ("; %d left"):format(proposal.left) or "") }
  vim.list_extend(lines, places_of(proposal))
  table.insert(lines, verdict.words(proposal.verification))
  vim.list_extend(lines, vim.tbl_map(client_of.plain, proposal.notes))
  table.insert(lines, "")
  vim.list_extend(lines, vim.split(text, "\n", { plain = true }))
  require("bodkin.float").text(vim.tbl_map(function(line)
    return (line:gsub("\n", " "))
  end, lines), "why")
end

return M
