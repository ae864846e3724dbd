CREATE TABLE users
(
  id int,
  name varchar
);

CREATE TABLE users_old
(
  id int,
  mail text
);
