export function routes() {
  const router = make();

  router.post("/teas", async (req, res) => {
    const auth = req.auth;
    const tea = await brew(req.body);
    res.json(tea);
  });

  router.post("/teas/:id", (req, res) => {
    const auth = req.auth;
    res.json(stir(req.id));
  });

  return router;
}
