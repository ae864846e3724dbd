#!/bin/sh
# Checks the probe.

. $(dirname $0)/lib/probe.sh

skip_if_no_probe || exit 2
skip_if_no_trace || exit 2
run
