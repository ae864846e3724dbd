if env == "dev":
    host = "a"
    port = 1
    debug = True
