one(y);
two(y);
three(y);
