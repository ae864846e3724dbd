void f(void) {
    a();
    b();
    if (x) {
        run();
    }
    c();
}
