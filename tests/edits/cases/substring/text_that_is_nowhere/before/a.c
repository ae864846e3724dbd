one(x);
