reload(1, 2);
