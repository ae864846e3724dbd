int value = first(
    third);
