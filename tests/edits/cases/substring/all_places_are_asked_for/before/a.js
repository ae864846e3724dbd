let id = f(id);
