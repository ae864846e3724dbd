reload(3, 2);
