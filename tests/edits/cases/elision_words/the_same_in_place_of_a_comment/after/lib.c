int one(int n);

/* The same. */
int one(int n) { return n; }
