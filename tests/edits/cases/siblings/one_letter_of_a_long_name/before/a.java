class A {
  void f() {
    open(axis);
    move(left_axis_y);
    draw(axis);
    close(axis);
  }
}
