import abc
import os
import sys

print(os.name)
