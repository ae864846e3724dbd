    var sum = 0
    for row in rows {
        sum += row.count
    }
    report(sum)
    return sum
}
