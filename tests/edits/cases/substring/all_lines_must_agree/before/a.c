    second);
