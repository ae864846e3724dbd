"""Boxes."""

import os
import sys


def count(path):
    return len(os.listdir(path))


def main():
    print(count(sys.argv[1]))
