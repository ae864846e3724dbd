fn show(rows: &Rows) {
    {
        let total = rows.len();
        let page = rows.page(limit_of_page);
        for row in page {
            print(row, total);
        }
    }
}
