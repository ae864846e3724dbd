def f():
      print("b")
