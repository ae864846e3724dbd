-- an instruction on a selection becomes a proposal, and the text is touched only when it is taken
local t = ...
local before = "def area(w, h):\n    return w + h\n\n\ndef other():\n    return 1\n"
t.write("shape.py", before)
t.setup({
  {
    expect = { "An area is a product", "return w + h" },
    reply = { text = t.block("shape.py", "    return w + h\n", "    return w * h\n"), stop_reason = "end_turn" },
    chunk_bytes = 5,
  },
})
t.open("shape.py")
vim.cmd("1,2Bodkin ask An area is a product")
local proposal = t.proposal()
t.equal(t.text("shape.py"), before, "the buffer before the proposal is taken")
t.equal(#proposal.hunks, 1, "the number of changes")
t.equal(t.end_of_ask()["end"], "proposal", "how the ask ended")
vim.cmd("Bodkin apply")
t.state(proposal, "applied")
t.equal(t.text("shape.py"), (before:gsub("w %+ h", "w * h")), "the buffer afterwards")
t.equal(t.read("shape.py"), before, "the file on disk: only the user saves")
vim.cmd("silent undo")
t.equal(t.text("shape.py"), before, "one undo takes the whole proposal back")
