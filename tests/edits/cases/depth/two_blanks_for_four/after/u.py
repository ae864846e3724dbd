class P:
    def f(self):
        code = 1
        pid = fork()
        if pid == 0:
            try:
                close(r)
                log(r)
                if r:
                    log(w)
                close(w)
            finally:
                pass
