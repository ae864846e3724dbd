;;; an ask becomes a proposal, and its code action makes the text what was meant  -*- lexical-binding: t -*-
(e2e-write "a.py" "def area(w, h):\n    return w + h\n\n\ndef other():\n    return 1\n")
(e2e-open "a.py")
(e2e-connect (e2e-replay (e2e-block "a.py" "return w + h\n" "return w * h\n")))
(e2e-ask 1 2 "An area is a product")
(e2e-goto-line 2)
(e2e-wait-for-action "bodkin: Apply")
(e2e-equal (buffer-string) "def area(w, h):\n    return w + h\n\n\ndef other():\n    return 1\n" "the text before")
(e2e-act "bodkin: Apply")
(e2e-wait "the text as it was meant"
          (lambda ()
            (equal (buffer-string) "def area(w, h):\n    return w * h\n\n\ndef other():\n    return 1\n")))
(e2e-end)
