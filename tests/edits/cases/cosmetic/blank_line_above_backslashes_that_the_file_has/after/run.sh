echo start

say("a")
echo next
say(\"b\")
