let sum = a
    + b
    + c;
