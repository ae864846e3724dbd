;;; a chat's answer is placed without a model  -*- lexical-binding: t -*-
(e2e-write "a.py" "x = 1\ny = 2\n")
(e2e-open "a.py")
(e2e-connect '(:bodkin (:model (:provider "replay" :name "/nowhere.json"))))
(e2e-execute "bodkin.applyReply"
             `(:text ,(e2e-block "a.py" "x = 1\n" "x = 10\n") :textDocument (:uri ,(e2e-uri))))
(e2e-goto-line 1)
(e2e-wait-for-action "bodkin: Apply")
(e2e-act "bodkin: Apply")
(e2e-wait "the text as it was meant" (lambda () (equal (buffer-string) "x = 10\ny = 2\n")))
(e2e-end)
