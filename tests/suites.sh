# Sourced by tests/run.sh, from the top of the checkout: runs suites, each with its own log, and adds up what they count.
# Ctrl-C, or the end of the terminal, ends those that run and all that they have started, and the script with 130.
# Set before: logs, the folder for these; nightly, if suites may take hours.

mkdir -p "${logs:?}"
passed=0 failed=0 skipped=0 retried=0 waiting= since=0

limit=${nightly:+10000}
limit=${limit:-2000} # seconds for a suite

lanes=2 # as many suites run at a time: the machines that run all have two cores

# On a terminal the last line says what runs; it is taken away before another is printed.
clear_line() { [ ! -t 2 ] || printf '\r\033[K' >&2; }
show_running() {
  [ ! -t 2 ] || printf '\r\033[K  running:%.55s  %d s ' "$waiting" $(($(date +%s) - since)) >&2
}
# Standard input, in lines of a terminal's width.
narrow() { fold -s -w 76 | sed '2,$ { /^[Ss][Kk][Ii][Pp]/! s/^/    / }'; }

# timeout has put each suite into a process group of its own, which no terminal interrupts, and passes on how it is ended.
interrupted() {
  trap '' INT TERM HUP
  for each in "$logs"/*.pid; do
    if [ -e "$each" ]; then kill "$(cat "$each")" || :; fi
  done 2>/dev/null
  if [ -n "${watcher:-}" ]; then # while something is built
    # More than once: a shell that has just been forked may lose a signal.
    for pause in 0 0.1 0.5; do sleep $pause && kill "$watcher" 2>/dev/null || :; done
    clear_line
    printf 'Stopped; the next run goes on from here.\n' >&2
  fi
  wait
  exit 130
}
rm -f "$logs"/*.pid
trap interrupted INT TERM HUP

# run NAME COMMAND…: its output goes into its log, how it ended and how long it took into a file beside that.
run() {
  name=$1
  shift
  started=$(date +%s)
  status=0
  # What the shell starts in the background would ignore an interrupt, and tests send some.
  timeout -k 10 "$limit" env --default-signal=INT,QUIT "$@" >"$logs/$name.log" 2>&1 </dev/null &
  echo $! >"$logs/$name.pid"
  wait $! || status=$?
  rm -f "$logs/$name.pid"
  echo "$status $(($(date +%s) - started))" >"$logs/$name.ending"
  mv "$logs/$name.ending" "$logs/$name.ended"
}

# count NAME: adds up the counts that it printed last.
count() {
  name=$1
  read -r status seconds <"$logs/$name.ended"
  counts=$(sed -n \
    -e 's/.*test cases: *[0-9]* *| *\([0-9]*\) passed *| *\([0-9]*\) failed *| *\([0-9]*\) skipped.*/\1 \2 \3/p' \
    -e 's/^\([0-9]*\) passed, \([0-9]*\) failed, \([0-9]*\) skipped$/\1 \2 \3/p' \
    "$logs/$name.log" | tail -n 1)
  if [ -z "$counts" ]; then
    # Not one test was counted: the suite itself broke, whatever its exit code says.
    counts="0 1 0"
    [ "$status" != 0 ] || status="0 without a count"
  fi
  set -- $counts
  if [ "$status" != 0 ] && [ "$2" = 0 ]; then set -- "$1" 1 "$3"; fi
  passed=$((passed + $1)) failed=$((failed + $2)) skipped=$((skipped + $3))
  clear_line
  printf '%-34s %5d passed %4d failed %4d skipped   %d s\n' "$name" "$1" "$2" "$3" "$seconds"
  if [ "$2" != 0 ]; then
    echo "--- $name (exit $status), what failed and the end of $logs/$name.log:"
    grep -n -A 25 -E '^FAIL|^[^ ]+: (FATAL )?ERROR:' "$logs/$name.log" | head -n 120 || :
    echo "..."
    tail -n 15 "$logs/$name.log"
    echo "---"
  fi
  again=$(sed -n 's/^\([0-9]*\) retried$/\1/p' "$logs/$name.log" | tail -n 1)
  if [ -n "$again" ]; then
    retried=$((retried + again))
    grep -A 30 '^again ' "$logs/$name.log" | head -n 60
  fi
  if [ "$3" != 0 ]; then grep -i '^skip' "$logs/$name.log" | head -n 20 | narrow; fi
}

# suite NAME COMMAND…: begins it once less than $lanes run; most of them wait more than they compute. Counts what has
# ended meanwhile.
suite() {
  rm -f "$logs/$1.ended"
  await_fewer $lanes
  waiting="$waiting $1"
  since=$(date +%s)
  run "$@" &
}

count_ended() {
  still=
  for each in $waiting; do
    if [ -e "$logs/$each.ended" ]; then count "$each"; else still="$still $each"; fi
  done
  waiting=$still
}

# await_fewer N: until fewer than N run, and all others are counted.
await_fewer() {
  while count_ended && [ "$(echo "$waiting" | wc -w)" -ge "$1" ]; do
    show_running
    sleep 0.2
  done
}
await_suites() { await_fewer 1; }

# skip NAME REASON: says so, and counts it.
skip() {
  skipped=$((skipped + 1))
  clear_line
  printf '%-34s skipped: %s\n' "$1" "$2" | narrow
}

# finish: the sum, and how all of it ends.
finish() {
  await_suites
  echo
  [ "$retried" = 0 ] || echo "$retried retried: they failed the first time, as shown above"
  echo "$passed passed, $failed failed, $skipped skipped"
  [ "$failed" = 0 ]
  exit
}
