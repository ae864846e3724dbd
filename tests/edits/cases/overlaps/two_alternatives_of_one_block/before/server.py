def start(host, port):
    log.info("starting")
    socket = listen(host, port)
    return serve(socket)
