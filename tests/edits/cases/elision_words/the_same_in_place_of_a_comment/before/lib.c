int one(int n);

/* Returns n. */
int one(int n) { return n; }
