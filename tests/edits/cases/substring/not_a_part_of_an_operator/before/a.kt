if (n == m) n += 2
