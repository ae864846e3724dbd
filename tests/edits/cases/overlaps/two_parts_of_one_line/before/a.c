long value = first(
    second);
