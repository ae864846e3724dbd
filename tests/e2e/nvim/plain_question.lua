-- without the plugin, the server's question is answered with Apply, and the text is what was meant
local t = ...
t.write("a.py", "x = 1\ny = 2\n")
t.plain("a.py", { t.block("a.py", "y = 2\n", "y = 20\n") }, "Apply")
t.plain_ask(2, 2, "Make y 20")
t.wait("the text as it was meant", function()
  return t.text("a.py") == "x = 1\ny = 20\n"
end)
