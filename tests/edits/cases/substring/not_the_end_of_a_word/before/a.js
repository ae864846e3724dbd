const reload = 1;
