f() {
    one(1);
    two(2);
}
g() {
    three(three);
}
