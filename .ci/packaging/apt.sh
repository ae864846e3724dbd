# Sourced: apt once more, in the folder $apt, for what the system's own is not set up for; the system is not changed.
# Its packages come from the mirror of Debian that the system's apt uses.
#   make_apt TYPE        empties $apt and sets it up for packages of that type: deb or deb-src
#   run_apt ARGUMENT…    runs its apt-get
: "${apt:?}"
make_apt() {
  rm -rf "$apt"
  mkdir -p "$apt/lists/partial" "$apt/parts" "$apt/cache/archives/partial"
  : >"$apt/status"
  for list in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
    [ ! -r "$list" ] || sed -n "s/^deb /$1 /p" "$list" | grep -i debian >>"$apt/parts/all.list" || :
  done
  for list in /etc/apt/sources.list.d/*.sources; do
    [ ! -r "$list" ] || ! grep -q debian-archive "$list" ||
      sed "s/^Types:.*/Types: $1/" "$list" >"$apt/parts/$(basename "$list")"
  done
}

run_apt() {
  apt-get -qq -o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts="$apt/parts" \
    -o Dir::State::lists="$apt/lists" -o Dir::State::status="$apt/status" -o Dir::Cache="$apt/cache" \
    -o Debug::NoLocking=1 -o APT::Sandbox::User= "$@"
}
