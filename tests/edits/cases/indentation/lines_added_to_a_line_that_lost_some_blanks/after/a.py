def f():
      print("a")
      print("b")
