class P:
    def f(self):
        code = 1
        pid = fork()
        if pid == 0:
            try:
                close(r)
                close(w)
            finally:
                pass
