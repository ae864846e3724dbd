;;; the question that the server asks is answered with Apply, and the text is what was meant  -*- lexical-binding: t -*-
(e2e-write "a.py" "x = 1\ny = 2\n")
(e2e-open "a.py")
(e2e-connect (e2e-replay (e2e-block "a.py" "y = 2\n" "y = 20\n")))
(setq e2e-answer "^Apply")
(e2e-ask 2 2 "Make y 20")
(e2e-wait "the text as it was meant" (lambda () (equal (buffer-string) "x = 1\ny = 20\n")))
(unless e2e-questions (e2e-fail "nothing was asked, and yet the text was changed"))
(e2e-end)
