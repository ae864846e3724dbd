class A {
  void f() {
    open(axis);
    move(axis_y);
    draw(axis_y);
    close(axis);
  }
}
