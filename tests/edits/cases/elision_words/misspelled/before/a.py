def total(rows):
    count = 0
    for row in rows:
        count += row
    log(count)
    return count
