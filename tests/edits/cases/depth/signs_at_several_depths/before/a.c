void f() {
    if (a) {
        if (b) {
            g();
        }
    } else {
        h();
    }
    k();
}
