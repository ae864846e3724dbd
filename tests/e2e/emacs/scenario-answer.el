;;; a long answer is shown from its beginning, with the file that has all of it  -*- lexical-binding: t -*-
(defvar e2e-messages nil)
(advice-add 'message :before
            (lambda (format-string &rest arguments)
              (when format-string (push (apply #'format-message format-string arguments) e2e-messages))))
(e2e-write "a.py" "x = 1\n")
(e2e-open "a.py")
(let ((answer (concat "It begins here.\n\n"
                      (mapconcat (lambda (i) (format "%d. a step that takes some words to say" i)) (number-sequence 1 20) "\n")
                      "\nIt ends here.\n")))
  (e2e-connect (e2e-replay answer))
  (e2e-ask 1 1 "/explain What is it?")
  (e2e-wait "the answer" (lambda () (seq-find (lambda (one) (string-match-p "It begins here" one)) e2e-messages)))
  (let* ((shown (seq-find (lambda (one) (string-match-p "It begins here" one)) e2e-messages))
         (rows (apply #'+ (mapcar (lambda (line) (1+ (/ (length line) 80))) (split-string shown "\n")))))
    ;; What is taller than a quarter of the frame is shown by its end: of 24 lines in a terminal.
    (unless (<= rows 6) (e2e-fail "the message has %d rows: %s" rows shown))
    (unless (string-match "all of it: \\(/[^)\n]*\\)" shown) (e2e-fail "no file is named: %s" shown))
    (e2e-equal (string-trim (e2e-read (match-string 1 shown))) (string-trim answer) "the file")))
(e2e-end)
