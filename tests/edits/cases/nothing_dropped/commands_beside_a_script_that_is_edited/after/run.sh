#!/bin/sh
run --fast
