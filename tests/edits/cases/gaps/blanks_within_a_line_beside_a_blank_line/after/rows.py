def rows(db):
    return db.all("""
        select  id

        from    lid
    """)
