f() {
    if (y) foo();
    x();
}
