total = counter;
