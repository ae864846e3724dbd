-- a message that is too long for the line keeps its reason and names the place to go on at
local t = ...
vim.o.columns = 80
t.write("a.py", "x = 1\n")
t.setup()
t.open("a.py")
local function shown()
  return t.messages[#t.messages]
end

-- The reason, and where it is said what differs.
vim.fn.setreg("a", t.block("shapes.py", "y = 1\n", "y = 2\n"))
t.write("shapes.py", "x = 1\n")
vim.cmd("Bodkin reply a")
t.message("refused: the lines")
t.equal(shown(), "refused: the lines it changes are not in shapes.py (:Bodkin log)", "the refusal")
t.contains(t.log(), "To be sent back to the model:", "the log")
t.contains(t.log(), "  yours: y = 1", "the line that differs, in the log")

-- The help that it names is what to go on with.
require("bodkin.client").warn("the program bodkin was not found: install its .deb, put the tarball's bin/ on PATH, or set cmd in "
  .. "require('bodkin').setup{} (:help bodkin-install)")
t.equal(shown(), "the program bodkin was not found… (:help bodkin-install)", "a missing program")
t.contains(t.log(), "put the tarball's bin/ on PATH", "the log")

-- It does not end with the beginning of a reason.
require("bodkin.client").notify("Applied in part. The part was not checked, because it creates or deletes files.")
t.equal(shown(), "Applied in part. The part was not checked… (:Bodkin log)", "a verdict")

-- The reason rather than the address, which is in the log.
require("bodkin.client").warn("a-model at http://127.0.0.1:18677 answered with status 500: out of memory (:Bodkin retry)")
t.equal(shown(), "a-model answered with status 500: out of memory (:Bodkin retry)", "a server's error")

-- The same of one that is not there.
require("bodkin.client").warn("Cannot connect to http://127.0.0.1:18977: is the server running? (:Bodkin retry)")
t.equal(shown(), "Cannot connect: is the server running? (:Bodkin retry)", "a server that is not there")

-- A question that is too long for the line is in the log once.
require("bodkin.extensions").handlers()["window/showMessage"](nil, { type = 3,
  message = "bodkin: Permission needed: Running python3 shapes.py 1 2 3 and then another program with a long name. Answer with :x" })
local _, times = t.log():gsub("permission needed: Running python3", "")
t.equal(times, 1, "how often the log has it")

-- What is to be agreed to is not cut without a sign.
require("bodkin.client").notify("permission needed: Running python3 shapes.py; echo 77 && rm -rf something-that-is-long", nil, nil, ":Bodkin answer")
t.contains(shown(), "… (:Bodkin answer)", "a question")
