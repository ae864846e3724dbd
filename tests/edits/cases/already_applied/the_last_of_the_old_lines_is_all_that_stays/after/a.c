f() {
    two(2);
}
