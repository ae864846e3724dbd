deploy() {
  if [ -n "$HOST" ]; then
    scp app "$HOST"
  fi
}
