namespace disk {

class Reader;
class Writer;
struct Options;
class Index;
