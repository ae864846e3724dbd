let sum = a
    + b;
