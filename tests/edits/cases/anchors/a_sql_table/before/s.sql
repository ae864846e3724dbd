CREATE TABLE users
(
  id int,
  name text
);

CREATE TABLE users_old
(
  id int,
  mail text
);
