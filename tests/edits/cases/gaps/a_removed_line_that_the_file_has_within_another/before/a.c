start();
call(first, second);
stop();
