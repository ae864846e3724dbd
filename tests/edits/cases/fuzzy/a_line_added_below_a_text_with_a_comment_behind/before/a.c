f() {
    foo();  // why
    x();
}
