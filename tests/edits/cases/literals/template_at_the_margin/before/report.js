class Report {
  run(db) {
    const query = `
select id
from orders
`;
    return db.all(query);
  }
}
