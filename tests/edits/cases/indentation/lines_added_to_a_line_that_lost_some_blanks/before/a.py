def f():
      print("a")
