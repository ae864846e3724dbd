  open(port);
  send(port, data);

  flush(port);
  wait(250);
  close(port);
