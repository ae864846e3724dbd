    if not cache.fresh(key):
        rows = query(key)
        log(rows)
        return rows
