def total(rows):
    for row in rows:
        try:
            found.append(float(row))

            except ValueError:
                report(row)
                continue
    return found
