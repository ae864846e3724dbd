def f():
    run("“done”")
