f() {
    foo();  // why
    bar();
    x();
}
