first_value = 1;
