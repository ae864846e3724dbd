namespace disk {

void run(Task* task) {
  task->open();
  task->read();
  task->close();
  log(task);
}

}

namespace net {

void walk() {}

}
