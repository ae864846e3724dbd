value = cache.get(key) + 1
