function f() {
    run()
        .then(stop);
}
