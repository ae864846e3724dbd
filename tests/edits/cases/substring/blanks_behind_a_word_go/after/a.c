y = run(x);
