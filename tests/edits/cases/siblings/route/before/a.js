app.get("/orders", (req, res) => {
  const rows = db.all();
  check(rows);
  res.json(rows);
});
