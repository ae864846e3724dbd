value = cache.pop(key) + 1
