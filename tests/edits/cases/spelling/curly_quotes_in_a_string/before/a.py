def f():
    run()
