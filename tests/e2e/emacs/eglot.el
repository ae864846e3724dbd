;;; eglot as it is, without anything of bodkin's.  -*- lexical-binding: t -*-
(dolist (folder (append (file-expand-wildcards "/usr/share/emacs/site-lisp/elpa-src/*")
                        (file-expand-wildcards "/usr/share/emacs/site-lisp/elpa/*")))
  (push folder load-path))
(unless (require 'eglot nil t)
  (message "eglot is not installed (elpa-eglot)")
  (kill-emacs 77))
(require 'json)
(defvar e2e-answer)

(setq eglot-sync-connect 30
      eglot-connect-timeout 30
      eglot-autoshutdown nil
      eglot-send-changes-idle-time 0
      eglot-confirm-server-initiated-edits nil)

(defun e2e-connect (settings)
  (setq eglot-server-programs
        `((,major-mode . (,(getenv "BODKIN") :initializationOptions ,settings))))
  (apply #'eglot (eglot--guess-contact))
  (unless (eglot-managed-p) (e2e-fail "eglot does not manage the buffer"))
  (flymake-start))

(defun e2e-execute (command argument)
  ;; A real eglot sends pending changes before a request (here: no idle timer runs in batch mode).
  (eglot--signal-textDocument/didChange)
  (eglot-execute-command (eglot-current-server) (intern command) (vector argument)))

(defun e2e-raw-actions ()
  (eglot--signal-textDocument/didChange)
  (append (eglot-code-actions (line-beginning-position) (line-end-position)) nil))

(defun e2e-actions ()
  (mapcar (lambda (action) (plist-get action :title)) (e2e-raw-actions)))

(defun e2e-act (title)
  (let ((action (seq-find (lambda (one) (string-prefix-p title (plist-get one :title))) (e2e-raw-actions))))
    (unless action (e2e-fail "there is no code action %s" title))
    ;; What eglot itself does with the chosen one.
    (let ((e2e-answer (regexp-quote (plist-get action :title)))
          (last-nonmenu-event t))  ; or eglot would pop up a mouse menu
      (eglot--read-execute-code-action (list action) (eglot-current-server)))
    (eglot--signal-textDocument/didChange)))
