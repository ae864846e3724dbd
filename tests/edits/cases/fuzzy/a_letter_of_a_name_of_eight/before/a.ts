function keep(id, retry) {
  if (id) {
    const clientID = next();
    keep(clientID, retry);
    show(retry);
    return retry;
  }
}
