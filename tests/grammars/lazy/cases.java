=== two classes with the same method
--- file
class A {
  @Override
  public String toString() {
    return "a";
  }
}

class B {
  @Override
  public String toString() {
    return "b";
  }

  void run() {
    go();
  }
}
--- sketch
// ... existing code ...
class B {
  @Override
  public String toString() {
    return "bb";
  }

  /* ... rest of the code ... */
}
--- result
class A {
  @Override
  public String toString() {
    return "a";
  }
}

class B {
  @Override
  public String toString() {
    return "bb";
  }

  void run() {
    go();
  }
}
