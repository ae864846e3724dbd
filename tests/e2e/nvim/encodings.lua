-- CRLF endings, emoji and combining letters before and in the change survive to the byte
local t = ...
local before = "# 😀👩‍👩‍👧 größe é\r\nname = '😀'  # naïve\r\nx = '𝕏'; y = 2\r\nlast = 1\r\n"
t.write("a.py", before)
t.setup({
  t.block("a.py", "name = '😀'  # naïve\nx = '𝕏'; y = 2\n", "name = '😀🎉'  # naïve\nx = '𝕏'; y = '日本'\n"),
})
t.open("a.py")
t.equal(vim.bo.fileformat, "dos", "the file format")
vim.cmd("2,3Bodkin ask Celebrate")
local proposal = t.proposal()
vim.cmd("Bodkin apply")
t.state(proposal, "applied")
vim.cmd("silent write")
t.equal(t.read("a.py"), "# 😀👩‍👩‍👧 größe é\r\nname = '😀🎉'  # naïve\r\nx = '𝕏'; y = '日本'\r\nlast = 1\r\n",
  "the bytes on disk")
