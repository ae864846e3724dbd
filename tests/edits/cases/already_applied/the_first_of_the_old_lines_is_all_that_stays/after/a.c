f() {
    one(1);
}
