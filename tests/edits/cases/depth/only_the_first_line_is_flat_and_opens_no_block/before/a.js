function f() {
    if (a) {
        run();
    }
}
