a();
// why
b();
c();
