#!/bin/bash
# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
# What this project needs from Debian, in one place, and how it gets there.
#
#   cmake/dependencies.sh [--list] GROUP...     GROUP: build test lint clang matrix demo site patroni display sctp
#
# Installs the packages of the groups that are missing: as root, or through sudo if it asks no password. Otherwise it
# prints the line to run and exits 1. Does nothing, quickly, when nothing is missing.
# --list prints the names (a|b: whichever this Debian has) and installs nothing.
set -euo pipefail

# Debian 12 is the floor; a|b|c means the first that is installed or, failing that, the first that can be installed.
build=(g++ lld cmake ninja-build 'pkg-config|pkgconf' ccache
  libabsl-dev libisal-dev libpcap-dev libxdp-dev libbpf-dev libfmt-dev libcli11-dev nlohmann-json3-dev rapidjson-dev libexpected-dev
  libzstd-dev zlib1g-dev libzip-dev libsqlite3-dev libjemalloc-dev libsystemd-dev libssl-dev wireshark-dev
  libgrpc++-dev libprotobuf-dev protobuf-compiler protobuf-compiler-grpc libncurses-dev
  prometheus-cpp-dev libtomlplusplus-dev libseccomp-dev libpq-dev libcurl4-openssl-dev
  qt6-base-dev 'qt6-svg-dev|libqt6svg6-dev' qt6-tools-dev qt6-tools-dev-tools qt6-l10n-tools qtkeychain-qt6-dev
  libqcustomplot-dev)
test=(libgtest-dev libgmock-dev tshark python3 wireshark xvfb xdotool openbox iproute2 tcpreplay openssl prometheus prometheus-alertmanager systemd curl tcpdump valgrind
  wireshark-common at-spi2-core gir1.2-atspi-2.0 python3-gi dbus-daemon gnome-keyring libsecret-1-0 desktop-file-utils appstream z3 mkdocs reuse diction libfaketime
  'postgresql-15|postgresql-16|postgresql-17')
lint=('clang-format-14|clang-format' 'clang-tidy-14|clang-tidy' git)
clang=(clang 'libclang-rt-dev|libclang-rt-19-dev|libclang-rt-14-dev')
matrix=(debootstrap systemd-container git)
demo=(iproute2 tcpreplay)
site=(iproute2 openssl python3 'postgresql-15|postgresql-16|postgresql-17')
patroni=(iproute2 openssl python3 patroni python3-etcd etcd-server etcd-client libfaketime 'postgresql-15|postgresql-16|postgresql-17')
display=(xvfb)
sctp=(libsctp-dev qemu-system-x86 busybox-static cpio e2fsprogs ethtool iproute2 kmod tcpdump wireshark-common)

usage() { sed -n '4,10s/^# \{0,1\}//p' "$0"; }
installed() { [[ $(dpkg-query -W -f '${db:Status-Abbrev}' "$1" 2>/dev/null) == ii* ]]; }
installable() { [[ -n $(apt-cache policy "$1" 2>/dev/null | sed -n 's/^  Candidate: //p' | grep -v '^(none)$') ]]; }

wanted=() list=no
for argument in "$@"; do
  case $argument in
    --help|-h) usage; exit 0 ;;
    --list) list=yes ;;
    build|test|lint|clang|matrix|demo|site|patroni|display|sctp) declare -n group=$argument; wanted+=("${group[@]}") ;;
    *) echo "$0: no group '$argument'; the groups are build, test, lint, clang, matrix, demo, site, patroni, display and sctp" >&2; exit 2 ;;
  esac
done
if [[ ${#wanted[@]} -eq 0 ]]; then usage >&2; exit 2; fi
if [[ $list == yes ]]; then printf '%s\n' "${wanted[@]}"; exit 0; fi

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
  echo "This is no Debian: the counterparts of these packages are needed: ${wanted[*]}" >&2
  exit 0   # they may be there under other names; CMake reports what it cannot find
fi

missing=()
for names in "${wanted[@]}"; do
  IFS='|' read -ra choices <<<"$names"
  for name in "${choices[@]}"; do installed "$name" && continue 2; done
  missing+=("$names")
done
[[ ${#missing[@]} -eq 0 ]] && exit 0

as_root=()
if [[ $(id -u) -ne 0 ]]; then
  if command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
    as_root=(sudo -n)
  else
    for i in "${!missing[@]}"; do
      for name in ${missing[i]//|/ }; do installable "$name" && { missing[i]=$name; break; }; done
      missing[i]=${missing[i]%%|*}
    done
    echo "These packages are missing, and installing them needs root. Run this line, then try again:" >&2
    echo "  sudo apt-get update && sudo DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends ${missing[*]}" >&2
    exit 1
  fi
fi

echo "Packages are missing; fetching the package lists ..."
log=$(mktemp)
trap 'rm -f "$log"' EXIT
# noninteractive: wireshark-common, which tshark needs, would ask whether everybody may capture; the default is no.
apt() { "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q "$@" </dev/null >"$log" 2>&1 || { cat "$log" >&2; return 1; }; }
apt update || echo "apt-get update failed; trying with the package lists that are there" >&2
for i in "${!missing[@]}"; do
  for name in ${missing[i]//|/ }; do installable "$name" && { missing[i]=$name; continue 2; }; done
  echo "apt-get knows no package ${missing[i]}; have a look at its sources." >&2
  exit 1
done
echo "Installing with apt-get: ${missing[*]}"
# Debian's PostgreSQL starts a server when it is installed. The tests start their own.
no_server=/etc/postgresql-common/createcluster.d/iwarpscope.conf
if [[ " ${missing[*]} " == *" postgresql-"* ]]; then
  "${as_root[@]}" install -d "${no_server%/*}"
  echo "create_main_cluster = false" | "${as_root[@]}" tee "$no_server" >/dev/null
  trap 'rm -f "$log"; "${as_root[@]}" rm -f "$no_server"' EXIT
fi
apt install -y --no-install-recommends "${missing[@]}"
for service in prometheus prometheus-alertmanager etcd; do
  package=${service/%etcd/etcd-server}
  if [[ " ${missing[*]} " == *" $package "* && -d /run/systemd/system ]]; then
    echo "Debian's $service runs as a service from now on. The tests need its program only; to end it:"
    echo "  sudo systemctl disable --now $service"
  fi
done
