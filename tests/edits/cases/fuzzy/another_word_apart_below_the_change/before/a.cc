void run(Task* task) {
  prepare(task);
  task->go();

  log("done", task);
  release(worker);
}
