step()
advance()
advance()
stop()
