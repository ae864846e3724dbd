function f() {
    run();
}
