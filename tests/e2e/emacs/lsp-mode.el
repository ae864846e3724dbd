;;; lsp-mode as it is, without anything of bodkin's.  -*- lexical-binding: t -*-
(dolist (folder (append (file-expand-wildcards "/usr/share/emacs/site-lisp/elpa-src/*")
                        (file-expand-wildcards "/usr/share/emacs/site-lisp/elpa/*")))
  (push folder load-path))
(setq lsp-session-file (concat (getenv "HOME") "/lsp-session")
      lsp-server-install-dir (concat (getenv "HOME") "/lsp-servers"))
(unless (require 'lsp-mode nil t)
  (message "lsp-mode is not installed (elpa-lsp-mode)")
  (kill-emacs 77))
(require 'json)
(require 'lsp-diagnostics nil t)

(setq lsp-enable-suggest-server-download nil
      lsp-auto-configure t
      lsp-diagnostics-provider :flymake
      lsp-enable-file-watchers nil
      lsp-headerline-breadcrumb-enable nil
      lsp-modeline-code-actions-enable nil
      lsp-lens-enable nil
      lsp-idle-delay 0.01
      lsp-debounce-full-sync-notifications nil
      lsp-restart 'ignore
      lsp-enable-snippet nil
      lsp-enabled-clients '(bodkin))

(defvar e2e-settings nil)

(defun e2e-connect (settings)
  (setq e2e-settings settings)
  (lsp-register-client
   (make-lsp-client :new-connection (lsp-stdio-connection (lambda () (list (getenv "BODKIN"))))
                    :activation-fn (lambda (&rest _) t)
                    :initialization-options (lambda () e2e-settings)
                    :server-id 'bodkin))
  (lsp-workspace-folders-add (getenv "WORK"))
  (lsp)
  (e2e-wait "bodkin" (lambda ()
                       (let ((workspace (car (lsp-workspaces))))
                         (and workspace (eq (lsp--workspace-status workspace) 'initialized))))))

(defun e2e-execute (command argument)
  (lsp-workspace-command-execute command (vector argument)))

(defun e2e-raw-actions () (append (lsp-code-actions-at-point) nil))

(defun e2e-actions () (mapcar #'lsp:code-action-title (e2e-raw-actions)))

(defun e2e-act (title)
  (let ((action (seq-find (lambda (one) (string-prefix-p title (lsp:code-action-title one)))
                          (e2e-raw-actions))))
    (unless action (e2e-fail "there is no code action %s" title))
    (lsp-execute-code-action action)))
