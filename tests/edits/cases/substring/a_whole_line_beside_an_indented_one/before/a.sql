ORDER BY id
FROM (
    ORDER BY id
)
