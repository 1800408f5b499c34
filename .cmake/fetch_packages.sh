#!/bin/sh
# Downloads packages of the system's own archive and unpacks them into a folder; the system stays as it is.
#
#   [ARCHITECTURE=arm64] fetch_packages.sh DEST SUITE STATE PACKAGE...
#
#   DEST   folder to unpack into (DEST/usr/include, ...)
#   SUITE  "own", "own-backports", or a suite's name or alias such as "testing"
#   STATE  folder for the package lists; one download of the lists per SUITE and STATE
#   ARCHITECTURE  the archive's name of the machine to build for, where it is not this one
#   PACKAGE  name, or name>=version: nothing is unpacked where the suite has an older one
#
# A library that a package needs in exactly its own version (the shared object beside a -dev package) comes along.
# Needs no root. The archive's address is the one this machine's own sources name, and its signature is
# checked with the distribution's installed keyring. Exit 0: all packages unpacked; 1: not;
# 2: this system has no such archive, or none that can be reached, whatever the suite.
set -eu
LC_ALL=C
export LC_ALL

[ $# -ge 4 ] || { echo "usage: $0 DEST SUITE STATE PACKAGE..." >&2; exit 1; }
dest=$1 suite=$2 state=$3
shift 3

for program in apt-get dpkg-deb; do
  command -v "$program" >/dev/null 2>&1 || { echo "no $program on this machine" >&2; exit 2; }
done
[ ! -r /etc/os-release ] || . /etc/os-release
codename=${VERSION_CODENAME:-}
[ -n "$codename" ] || { echo "/etc/os-release names no release" >&2; exit 2; }
case $suite in
  own) suite=$codename ;;
  own-*) suite=$codename-${suite#own-} ;;
esac
case $ID in
  ubuntu) components="main universe" ;;
  *) components="main" ;;
esac
keyring=/usr/share/keyrings/$ID-archive-keyring.gpg

root=$state/$suite${ARCHITECTURE:+-$ARCHITECTURE}
mkdir -p "$root/lists/partial" "$root/cache/archives/partial" "$root/parts" "$root/prefs" "$root/deb" "$dest"
: > "$root/status"
root=$(cd "$root" && pwd)
dest=$(cd "$dest" && pwd)

private_apt() {
  apt-get ${ARCHITECTURE:+-o APT::Architecture="$ARCHITECTURE" -o APT::Architectures="$ARCHITECTURE"} \
    -o Dir::State="$root" -o Dir::State::status="$root/status" -o Dir::Cache="$root/cache" \
    -o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts="$root/parts" \
    -o Dir::Etc::preferences=/dev/null -o Dir::Etc::preferencesparts="$root/prefs" \
    -o APT::Sandbox::User= -o Acquire::Languages=none -o Acquire::Retries=2 \
    -o Acquire::http::Timeout=20 -o Acquire::https::Timeout=20 -qq "$@"
}

# Every archive that the machine's sources use for its own release, the one with most suites first
# (a vendor's repository may carry the same codename).
own_archives() {
  uris=$(apt-get update --print-uris 2>/dev/null | sed -n "s|^'\(.*\)/dists/\([^/]*\)/.*|\1 \2|p" | sort -u)
  printf '%s\n' "$uris" | awk -v own="$codename" '
    { count[$1]++; if ($2 == own) has[$1] = 1 }
    END { for (uri in has) print count[uri], uri }' | sort -k1,1nr -k2 | cut -d" " -f2
}

# What apt says of addresses that lead nowhere, which it has tried several times.
unreachable='could not resolve|failure resolving|could not connect|unable to connect|connection (failed|timed out)'
unreachable="$unreachable|network is unreachable"

if [ ! -f "$root/updated" ]; then
  failure=2
  for uri in $(own_archives); do
    printf 'Types: deb\nURIs: %s\nSuites: %s\nComponents: %s\n' "$uri" "$suite" "$components" \
      > "$root/parts/archive.sources"
    [ ! -f "$keyring" ] || printf 'Signed-By: %s\n' "$keyring" >> "$root/parts/archive.sources"
    for attempt in 1 2; do
      if private_apt -o APT::Update::Error-Mode=any update >"$root/update.log" 2>&1; then
        : > "$root/updated"
        break 2
      fi
      ! grep -Eiq "$unreachable" "$root/update.log" || continue 2
      failure=1
    done
  done
  [ -f "$root/updated" ] ||
    { echo "suite $suite: no package lists: $(tail -n 2 "$root/update.log" 2>/dev/null)" >&2; exit $failure; }
fi

rm -f "$root"/deb/*.deb
cd "$root/deb"

download() {
  private_apt download "$1" >"$root/download.log" 2>&1 || private_apt download "$1" >"$root/download.log" 2>&1 ||
    { echo "suite $suite: $(tail -n 2 "$root/download.log")" >&2; exit 1; }
}

for wanted in "$@"; do
  name=${wanted%%>=*}
  case $wanted in
    *">="*)
      least=${wanted#*>=}
      found=$(apt-cache ${ARCHITECTURE:+-o APT::Architecture="$ARCHITECTURE" -o APT::Architectures="$ARCHITECTURE"} \
        -o Dir::State="$root" -o Dir::State::status="$root/status" -o Dir::Cache="$root/cache" \
        -o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts="$root/parts" show "$name" 2>/dev/null |
        sed -n 's/^Version: \([0-9]*:\)\{0,1\}//p' | head -n 1)
      [ -n "$found" ] || { echo "suite $suite has no $name" >&2; exit 1; }
      dpkg --compare-versions "$found" ge "$least" ||
        { echo "suite $suite has $name $found, older than $least" >&2; exit 1; }
      ;;
  esac
  download "$name"
done

for package in *.deb; do
  version=$(dpkg-deb -f "$package" Version)
  for companion in $(dpkg-deb -f "$package" Depends | tr ',' '\n' |
    sed -n 's/^ *\(lib[^ :|]*\)[^ |]* *(= *\([^) ]*\))$/\1=\2/p'); do
    [ "${companion#*=}" != "$version" ] || download "${companion%%=*}"
  done
done

for package in *.deb; do
  dpkg-deb -x "$package" "$dest"
  echo "unpacked $package of $suite"
done
