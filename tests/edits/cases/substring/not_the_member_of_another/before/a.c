conn->fd = 1;
