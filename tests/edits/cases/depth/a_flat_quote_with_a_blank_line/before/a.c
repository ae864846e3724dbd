void f(int x) {
    if (x) {
        a(x);

        b(x);
    }
}
