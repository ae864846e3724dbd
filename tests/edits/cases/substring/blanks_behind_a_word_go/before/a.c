y = run (x);
