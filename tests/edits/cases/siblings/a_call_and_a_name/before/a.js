  lock(queue);
  const next = queue.shift();
  handle(next);
  unlock(queue);
