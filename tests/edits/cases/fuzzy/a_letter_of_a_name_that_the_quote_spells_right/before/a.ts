function keep(id, retry) {
  if (id) {
    const requestLogID = next();
    keep(requestLogID, retry);
    show(retry);
    return retry;
  }
}
