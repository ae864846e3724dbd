export function routes() {
  const router = make();

  router.post("/teas", (req, res) => {
    const auth = req.auth;
    const tea = brew(req.body);
    res.json(tea);
  });

  router.post("/teas/:id", (req, res) => {
    const auth = req.auth;
    res.json(stir(req.id));
  });

  return router;
}
