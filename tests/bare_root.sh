#!/bin/sh
# sh tests/bare_root.sh [demo | tests | all]: the README's commands, typed by root in a bare Debian 12 and a bare
# Ubuntu 24.04 that have nothing but a shell and a network: clients/demo.sh (demo), tests/run.sh (tests), or both.
# Prints how long each took, and how long it was to the first proposal. The roots are made by debootstrap, each once, as
# build/root-SUITE.tar. What is tried is the last commit. How this machine reaches its packages (apt's sources and
# proxies, npm's configuration) is carried over. The last line is: N passed, N failed, N skipped.
set -eu
cd "$(dirname "$0")/.."
. tests/setup.sh

case ${1-demo} in
  demo) commands="clients/demo.sh" ;;
  tests) commands="tests/run.sh" ;;
  all) commands="clients/demo.sh tests/run.sh" ;;
  *) die "usage: sh tests/bare_root.sh [demo | tests | all]" ;;
esac
passed=0 failed=0 skipped=0 logs=$PWD/build/logs
mkdir -p "$logs"
work=$(mktemp -d "$PWD/build/bare-XXXXXX")
remove() { rm -rf --one-file-system "$work"; }
trap remove EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

# made SUITE: build/root-SUITE.tar is there, or the reason why not is printed.
made() {
  [ ! -e "build/root-$1.tar" ] || return 0
  log=$logs/debootstrap-$1.log
  # Debian comes from where this machine has it, Ubuntu from debootstrap's own place; both are checked by their keys.
  if [ "$1" = bookworm ]; then
    # shellcheck disable=SC2046 # one word, or none
    set -- --components=main "$1" "$work/base" $(cat /etc/apt/sources.list.d/*.sources /etc/apt/sources.list 2>/dev/null |
      grep -oE 'https?://[^ ]*/debian/?( |$)' | head -n 1)
  else
    # The name of its script for every Ubuntu since 2007; Debian 12 has none of this one's name.
    set -- --components=main,universe "$1" "$work/base" "" /usr/share/debootstrap/scripts/gutsy
  fi
  say "Making a bare $2"
  if timeout 1200 debootstrap --force-check-gpg --variant=minbase "$@" >"$log" 2>&1; then
    tar -C "$work/base" -cf "build/root-$2.part" . && mv "build/root-$2.part" "build/root-$2.tar"
  else
    grep -E '^[EW]: ' "$log" | head -n 1 | cut -c 4-
  fi
  rm -rf --one-file-system "$work/base"
  [ -e "build/root-$2.tar" ]
}

# carry_over SUITE ROOT: how this machine reaches the network.
carry_over() {
  cp /etc/resolv.conf "$2/etc/resolv.conf" 2>/dev/null || :
  if [ "$1" = "$(. /etc/os-release && echo "${VERSION_CODENAME-}")" ]; then
    rm -f "$2/etc/apt/sources.list"
    for each in /etc/apt/sources.list /etc/apt/sources.list.d/*.list /etc/apt/sources.list.d/*.sources; do
      [ ! -e "$each" ] || cp "$each" "$2${each}"
    done
  fi
  for each in $(grep -ls '^ *Acquire' /etc/apt/apt.conf /etc/apt/apt.conf.d/* || :); do cp "$each" "$2/etc/apt/apt.conf.d/"; done
  have npm || return 0
  for each in globalconfig userconfig; do
    # Files that these name are not there.
    sed -e '/^cafile/d' -e '/^nodedir/d' "$(npm config get $each)" >>"$2/root/.npmrc" 2>/dev/null || :
  done
  certificates=${NODE_EXTRA_CA_CERTS:-$(npm config get cafile)}
  [ ! -f "$certificates" ] || cp "$certificates" "$2/root/certificates.pem"
}

# inside ROOT COMMAND…: in a root, with mounts and processes of its own, of which nothing outlives the command. It is
# pivoted to, since in what is only chroot'ed there can be no sandbox.
# shellcheck disable=SC2046 # no such value has a blank
inside() {
  root=$1
  shift
  unshare --mount --pid --fork --kill-child sh -c '
    cd "$0" && mount --bind . . && cd "$0" && mount -t proc proc proc && mount --rbind /dev dev && mount --rbind /sys sys &&
    mkdir host && pivot_root . host && cd / && umount -l host && rmdir host && exec "$@"' "$root" \
    env -i HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin TERM=dumb \
    $([ ! -e "$root/root/certificates.pem" ] || echo NODE_EXTRA_CA_CERTS=/root/certificates.pem) \
    $(env | grep -iE '^(https?_proxy|no_proxy|npm_config_[a-z_]*)=[^ ]*$' || :) "$@"
}

# try SUITE COMMAND: in a fresh root with a fresh checkout.
try() {
  name=bare-$1-$(basename "$2" .sh) root=$work/$1
  mkdir "$root"
  tar -C "$root" -xf "build/root-$1.tar"
  carry_over "$1" "$root"
  git clone -q --local . "$root/root/bodkin"
  started=$(date +%s) status=0
  inside "$root" sh -c 'cd /root/bodkin && exec sh "$0"' "$2" >"$logs/$name.log" 2>&1 </dev/null || status=$?
  took=$(($(date +%s) - started))
  rm -rf --one-file-system "$root"
  if [ "$status" = 0 ]; then
    passed=$((passed + 1))
    echo "ok    sh $2 in a bare $1: $took s on $(nproc) processors"
    grep -E 'the proposal, checked|^Everything is installed|^[0-9]+ passed' "$logs/$name.log" | sed 's/^ */      /' || :
  else
    failed=$((failed + 1))
    echo "FAIL  sh $2 in a bare $1: exit $status after $took s ($logs/$name.log)"
    tail -n 20 "$logs/$name.log" | sed 's/^/      /'
  fi
}

reason=
if [ "$(id -u)" != 0 ]; then
  reason="it needs root"
elif ! have debootstrap; then
  setup_packages bare
fi
for suite in bookworm noble; do
  if [ "$reason" ] || ! why=$(made "$suite"); then
    skipped=$((skipped + 1))
    echo "SKIP  a bare $suite: ${reason:-$why}"
    continue
  fi
  for command in $commands; do try "$suite" "$command"; done
done
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
