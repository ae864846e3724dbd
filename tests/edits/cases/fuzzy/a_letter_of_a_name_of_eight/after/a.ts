function keep(id, retry) {
  if (id) {
    const clientID = next();
    keep(clientID, retry);
    log(retry);
    return retry;
  }
}
