CREATE VIEW stats AS
    SELECT a,
           b
    FROM one x JOIN two y ON (x.i = y.i)
         LEFT JOIN three z ON (z.i = x.i)
         LEFT JOIN four u ON (u.i = x.i);
