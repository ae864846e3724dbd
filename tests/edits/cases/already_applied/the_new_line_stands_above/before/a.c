g() {
    three(three);
}
f() {
    one(1);
    two(2);
}
