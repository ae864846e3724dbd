function keep(id, retry) {
  if (id) {
    const requestLogID = next();
    keep(requestLogID, retry);
    log(retry);
    return retry;
  }
}
