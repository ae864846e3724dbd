class A
    extends B
    implements C {
  int x;
}
