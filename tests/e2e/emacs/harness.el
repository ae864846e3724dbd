;;; What the scenarios share. The client's own file (eglot.el, lsp-mode.el) is loaded before and defines  -*- lexical-binding: t -*-
;;;   (e2e-connect SETTINGS)      starts bodkin for the current buffer and waits until it is there
;;;   (e2e-execute COMMAND ARG)   workspace/executeCommand
;;;   (e2e-actions)               the titles of the code actions at point
;;;   (e2e-act TITLE)             runs the code action whose title begins so

(defvar e2e-answer nil "What the user answers to a question: a regexp of a choice, or nil to dismiss it.")
(defvar e2e-questions nil "The questions that were asked, newest first.")

;; Nobody sits at the keyboard.
(defun e2e-choose (prompt collection &rest _)
  (push prompt e2e-questions)
  (let ((choices (all-completions "" collection)))
    (and e2e-answer (seq-find (lambda (choice) (string-match-p e2e-answer choice)) choices))))
(advice-add 'completing-read :override #'e2e-choose)
(advice-add 'y-or-n-p :override (lambda (&rest _) t))
(advice-add 'yes-or-no-p :override (lambda (&rest _) t))

(defun e2e-fail (format-string &rest arguments)
  (message "failed: %s" (apply #'format format-string arguments))
  (message "the questions: %S" e2e-questions)
  (message "the buffer:\n%s" (buffer-string))
  (kill-emacs 1))

(defun e2e-wait (what condition)
  "Waits until CONDITION holds; the limit of 30 s is for failures only."
  (let ((limit (+ (float-time) 30)) done)
    (while (and (not (setq done (funcall condition))) (< (float-time) limit))
      (accept-process-output nil 0.02))
    (unless done (e2e-fail "waited in vain for %s" what))
    done))

(defun e2e-equal (actual expected what)
  (unless (equal actual expected)
    (e2e-fail "%s\n  expected: %S\n  actual:   %S" what expected actual)))

(defun e2e-uri () (concat "file://" (buffer-file-name)))

(defun e2e-block (path search replace)
  (format "%s\n<<<<<<< SEARCH\n%s=======\n%s>>>>>>> REPLACE\n" path search replace))

(defun e2e-write (name text)
  (let ((coding-system-for-write 'utf-8-unix))
    (write-region text nil (expand-file-name name (getenv "WORK")) nil 'silent)))

(defun e2e-read (name)
  (with-temp-buffer
    (let ((coding-system-for-read 'utf-8-unix))
      (insert-file-contents (expand-file-name name (getenv "WORK"))))
    (buffer-string)))

(defun e2e-open (name)
  (set-window-buffer (selected-window) (find-file (expand-file-name name (getenv "WORK")))))

(defun e2e-replay (&rest replies)
  "Settings with a recorded model that answers with REPLIES."
  (let ((file (concat (getenv "WORK") "-replay.json")))
    (with-temp-file file
      (insert (json-encode
               `((name . "scenario")
                 (turns . ,(vconcat (mapcar (lambda (text)
                                              `((reply . ((text . ,text) (stop_reason . "end_turn")))
                                                (chunk_bytes . 7)))
                                            replies)))))))
    `(:bodkin (:model (:provider "replay" :name ,file)))))

(defun e2e-ask (first last prompt)
  "Asks about the lines FIRST to LAST (from 1)."
  (e2e-execute "bodkin.ask"
               `(:textDocument (:uri ,(e2e-uri))
                 :range (:start (:line ,(1- first) :character 0) :end (:line ,last :character 0))
                 :prompt ,prompt)))

(defun e2e-goto-line (line)
  (goto-char (point-min))
  (forward-line (1- line)))

(defun e2e-wait-for-action (title)
  (e2e-wait (format "the code action %s" title)
            (lambda () (seq-find (lambda (one) (string-prefix-p title one)) (e2e-actions)))))

(defun e2e-end ()
  (set-buffer-modified-p nil)
  (kill-emacs 0))
