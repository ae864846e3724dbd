-- a help page is asked about: what is selected in it is quoted, it names no file, and nothing can be edited
local t = ...
t.write("notes.txt", "secret\n")
t.setup({
  {
    expect = { "Explain it shortly", "*quote.txt*", "See @notes.txt", " ```" },
    absent = { "secret", "the last line" },
    reply = { text = "It is a **quotation**.", stop_reason = "end_turn" },
  },
  { expect = { "the last line" }, reply = { text = t.block("notes.txt", "secret\n", "open\n"), stop_reason = "end_turn" } },
})
t.write("doc/quote.txt", "*quote.txt*\nSee @notes.txt\n```\nthe last line\n vim:ft=help:\n")
vim.opt.runtimepath:append(t.path(""))
vim.cmd("silent helptags " .. t.path("doc"))
vim.cmd("help quote.txt")
t.equal(vim.bo.buftype, "help", "the buffer")
vim.cmd("1,3Bodkin ask Explain it shortly")
t.equal(t.end_of_ask()["end"], "answer", "how the question ended")
t.contains(t.log(), "Explain it shortly\n*quote.txt, lines 1–3", "the head of the block")
vim.cmd("Bodkin! explain")
t.equal(t.end_of_ask(2)["end"], "answer", "how the explanation ended")
t.equal(t.proposals(), 0, "the proposals")
t.equal(t.read("notes.txt"), "secret\n", "the file")
