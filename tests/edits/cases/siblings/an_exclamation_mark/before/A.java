    drain(queue);
    if (!queue.isEmpty()) {
      notifyAll();
      count++;
    }
