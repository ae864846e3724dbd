a();
log_everything(now);
b();
