void run(Task* task) {
  prepare(task);
  task->start();

  log("done", task);
  release(worker);
}
