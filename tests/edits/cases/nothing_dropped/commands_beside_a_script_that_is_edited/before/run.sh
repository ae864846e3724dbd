#!/bin/sh
run --all
