=== a method by its name, in a class that is shown; an elision at begin, middle and end
--- file
import os

class A:
    """Doc."""

    x = 1

    def f(self):
        return 1

    def g(self):
        return 2

class B:
    def f(self):
        return 3
--- sketch
# ... existing code ...

class A:
    # ... existing code ...

    def f(self):
        return 10

    # ... existing code ...

# ... existing code ...
--- result
import os

class A:
    """Doc."""

    x = 1

    def f(self):
        return 10

    def g(self):
        return 2

class B:
    def f(self):
        return 3
=== two classes have the method and neither is shown
--- file
class A:
    def f(self):
        a = 1
        return a

class B:
    def f(self):
        b = 1
        return b
--- sketch
    def f(self):
        return 10
--- refused: line 1
=== the decorators and the comment that a sketch does not show stay
--- file
class A:
    # Cached for ever.
    @cache
    @trace(level=2)
    def f(self):
        x = 1
        return x

    def g(self):
        pass
--- sketch
class A:
    # ... existing code ...
    def f(self):
        x = 2
        return x
    # ... existing code ...
--- result
class A:
    # Cached for ever.
    @cache
    @trace(level=2)
    def f(self):
        x = 2
        return x

    def g(self):
        pass
=== a decorator that is shown is changed
--- file
@app.get("/a")
def a():
    return 1

@app.get("/b")
def b():
    return 1
--- sketch
# ... existing code ...

@app.get("/bb")
def b():
    return 1
--- refused: may be line

=== a property and its setter are told apart by their heads
--- file
class A:
    @property
    def x(self):
        return self._x

    @x.setter
    def x(self, value):
        self._x = value
--- sketch
class A:
    # ... existing code ...

    @x.setter
    def x(self, value):
        self._x = int(value)
--- result
class A:
    @property
    def x(self):
        return self._x

    @x.setter
    def x(self, value):
        self._x = int(value)
=== statements are elided within one function
--- file
def f():
    a = 1
    b = 2
    c = 3
    return a + b + c

def g():
    a = 1
    b = 2
    c = 3
    return 0
--- sketch
# ... existing code ...
def g():
    # ... existing code ...
    b = 2
    b += 1
    c = 3
    # ... existing code ...
--- result
def f():
    a = 1
    b = 2
    c = 3
    return a + b + c

def g():
    a = 1
    b = 2
    b += 1
    c = 3
    return 0
=== a method is removed by showing its neighbours
--- file
class A:
    def f(self):
        return 1

    def g(self):
        return 2

    def h(self):
        return 3
--- sketch
class A:
    def f(self):
        # ... existing code ...

    def h(self):
        # ... existing code ...
--- refused: everything in the new code is already there

=== a method between two changed ones is not removed by silence
--- file
class A:
    def f(self):
        return 1

    def g(self):
        return 2

    def h(self):
        return 3

    def i(self):
        return 4
--- sketch
class A:
    def f(self):
        return 10

    def h(self):
        return 30

    # ... existing code ...
--- refused: would be lost

=== an import is added above an elision, and one is changed
--- file
"""Doc."""
import os
from typing import List

def f():
    return 1
--- sketch
import sys
# ... existing code ...
--- refused: its place is not clear

=== a changed import is known by its module
--- file
from fastapi import FastAPI

app = FastAPI()

def f():
    return 1

def g():
    return 1
--- sketch
from fastapi import FastAPI, HTTPException

# ... same ...

def g():
    return 2
--- refused: its place is not clear

=== a new function between two elisions has no place
--- file
def f():
    return 1

def g():
    return 2
--- sketch
# ... existing code ...

def new():
    return 0

# ... existing code ...
--- refused: its place is not clear
=== a line that may be a changed one next to an elision
--- file
def f():
    start()
    timeout = read_timeout(30)
    run(timeout)
    stop()
--- sketch
def f():
    # ... existing code ...
    timeout = read_timeout(60)
    run(timeout)
    # ... existing code ...
--- result
def f():
    start()
    timeout = read_timeout(60)
    run(timeout)
    stop()
=== an elided body on one line is no new body
--- file
class A:
    def f(self):
        return 1

    def g(self):
        return 2
--- sketch
class A:
    def f(self): ...

    def g(self):
        return 20
--- refused: would be lost
=== an elision that the file has as a line
--- file
names = [
    "a",
    "b",
    # ... rest of the names ...
    "c",
]
--- sketch
names = [
    "a",
    # ... rest of the names ...
    "c",
    "d",
]
--- result
names = [
    "a",
    "b",
    # ... rest of the names ...
    "c",
    "d",
]
=== an elision without dots
--- file
def f():
    a = 1
    b = 2
    return a + b

def g():
    return 1
--- sketch
def f():
    a = 10
    # rest of the function remains unchanged

# existing code
--- result
def f():
    a = 10
    b = 2
    return a + b

def g():
    return 1
=== pieces that are no whole statements, in the function that is named
--- file
def f():
    try:
        go(1)
        stop()
    except OSError:
        pass

def g():
    try:
        go(1)
        stop()
    except OSError:
        pass
--- sketch
# ... existing code ...

def g():
    # ... existing code ...
        go(1)
        wait()
        stop()
    # ... existing code ...
--- result
def f():
    try:
        go(1)
        stop()
    except OSError:
        pass

def g():
    try:
        go(1)
        wait()
        stop()
    except OSError:
        pass
=== what an elision behind a block that is cut off stands for is not lost
--- file
class Box:
    def put(self, names):
        f = open("x", "w")
        try:
            for name, keys in names:
                if len(keys) == 0:
                    continue
                f.write(name + ":")
                prev = None
                done = False
                for key in sorted(set(keys)):
                    if key - 1 == prev:
                        if not done:
                            done = True
                            f.write("-")
                    elif done:
                        done = False
                        f.write("%s %s" % (prev, key))
                    else:
                        f.write(key)
                    prev = key
                if done:
                    f.write(str(prev))
                else:
                    f.write("!")
        finally:
            f.close()

    def pack(self):
        pass
--- sketch
# ... existing code ...

class Box:
    # ...

    def put(self, names):
        # ... existing code ...
                    continue
                f.write(name + ":")
                prev = None
                ready = False
                for key in sorted(set(keys)):
                    if key - 1 == prev:
                        if not done:
        # ... rest of code ...

    # ... rest of code ...

# ... existing code ...
--- result
class Box:
    def put(self, names):
        f = open("x", "w")
        try:
            for name, keys in names:
                if len(keys) == 0:
                    continue
                f.write(name + ":")
                prev = None
                ready = False
                for key in sorted(set(keys)):
                    if key - 1 == prev:
                        if not done:
                            done = True
                            f.write("-")
                    elif done:
                        done = False
                        f.write("%s %s" % (prev, key))
                    else:
                        f.write(key)
                    prev = key
                if done:
                    f.write(str(prev))
                else:
                    f.write("!")
        finally:
            f.close()

    def pack(self):
        pass
=== a nested function below an elision is not put where the elision is
--- file
def remove(path):
    if path:
        data = load(path)
        if data:
            save(data)


def run(futures):
    def process():
        for future in futures:
            try:
                future.result()
            except Exception as e:
                log(e)

    process()
--- sketch
def remove(path):
    if path:
        data = load(path)
        if data_v2:
            save(data)

# ... existing code ...

    def process():
        for future in futures:
            try:
                future.result()
            except Exception as e:
                log(e)
                audit(804)

# ... existing code ...
--- refused: ambiguous
