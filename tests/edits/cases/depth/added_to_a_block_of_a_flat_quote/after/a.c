void f(void) {
    a();
    b();
    if (x) {
        run();
        stop();
    }
    c();
}
