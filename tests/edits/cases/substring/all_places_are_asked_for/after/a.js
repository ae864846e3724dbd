let key = f(key);
