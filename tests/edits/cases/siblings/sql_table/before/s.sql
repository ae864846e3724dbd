CREATE TABLE orders (
  id INT,
  name TEXT,
  created DATE
);
