(defun grow ()
  (two))

(defun shrink ()
  (one))
