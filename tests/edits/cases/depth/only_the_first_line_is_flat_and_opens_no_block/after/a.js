function f() {
    if (a) {
        start();
        run(1);
    }
}
