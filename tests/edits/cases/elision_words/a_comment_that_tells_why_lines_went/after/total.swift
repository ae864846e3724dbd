func total(rows: [Row]) -> Int {
    // The rows count themselves now.
    return rows.count
}
