advance()
step()
stop()
