"""Boxes."""

import os
import sys
import json


def count(path):
    return len(os.listdir(path))


def main():
    print(json.dumps(count(sys.argv[1])))
