class Report {
  run(db) {
    const query = `
select id
from orders
where open
`;
    return db.all(query);
  }
}
