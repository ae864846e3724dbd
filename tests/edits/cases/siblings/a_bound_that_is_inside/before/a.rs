        let mut hi = rows.len();
        let mut lo = 0;
        while lo <= hi {
            let mid = (lo + hi) / 2;
            probe(mid);
            lo = mid + 1;
        }
