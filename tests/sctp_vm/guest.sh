#!/bin/busybox sh
# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
# First program of the virtual machine: two hosts `a` (active) and `b` (passive) with a router `r` between them, two links
# each. Plays /scenarios and writes the results to /dev/vda as a tar archive.
#
#   a0 10.1.0.1 fd01::1 --- ra0 r rb0 --- b0 10.2.0.1 fd02::1
#   a1 10.3.0.1         --- ra1 r rb1 --- b1 10.4.0.1
/bin/busybox --install -s /bin
export PATH=/usr/bin:/bin
mkdir -p /proc /sys /dev /run /tmp /out
mount -t proc none /proc
mount -t sysfs none /sys
mount -t devtmpfs none /dev
mount -t tmpfs none /run
for module in virtio_pci virtio_blk sctp veth sch_netem; do modprobe $module || echo "no module $module"; done

# busybox has its own ip command, which its shell prefers.
ip() { /usr/bin/ip "$@"; }
on() { ip netns exec "$@"; }
patiently() { # retries until the command succeeds, at most half a minute
  for try in $(seq 300); do
    "$@" && return
    sleep 0.1
  done
  echo "in vain: $*"
}

up() { # host, interface. As on a wire: captured frames have their CRC and are no larger than a packet.
  [ "$OFFLOAD" = yes ] || on $1 ethtool -K $2 tx off tso off gso off gro off >/dev/null
  ip -n $1 link set $2 up
}

link() { # the host, its interface, the router's, the numbers of its network and of the other one
  ip -n $1 link add $2 type veth peer name $3 netns r
  up $1 $2
  up r $3
  ip -n $1 addr add 10.$4.0.1/24 dev $2
  ip -n r addr add 10.$4.0.254/24 dev $3
  ip -n $1 route add 10.$5.0.0/24 via 10.$4.0.254
  if [ "$IPV6" = yes ]; then
    ip -n $1 addr add fd0$4::1/64 dev $2 nodad
    ip -n r addr add fd0$4::fe/64 dev $3 nodad
    ip -n $1 route add fd0$5::/64 via fd0$4::fe
  fi
}

network() {
  for host in a b r; do
    ip netns add $host
    ip -n $host link set lo up
    [ "$IPV6" = yes ] || on $host sysctl -qw net.ipv6.conf.all.disable_ipv6=1 net.ipv6.conf.default.disable_ipv6=1
    on $host sysctl -qw net.sctp.rto_initial=600 net.sctp.rto_min=400 net.sctp.rto_max=1000 net.sctp.path_max_retrans=1
    [ "$UDP" = yes ] && on $host sysctl -qw net.sctp.udp_port=9899 net.sctp.encap_port=9899
  done
  on r sysctl -qw net.ipv4.ip_forward=1
  [ "$IPV6" = yes ] && on r sysctl -qw net.ipv6.conf.all.forwarding=1
  link a a0 ra0 1 2
  link b b0 rb0 2 1
  link a a1 ra1 3 4
  link b b1 rb1 4 3
}

taps() { # start captures on these interfaces of the router
  for tap in "$@"; do
    /usr/bin/ip netns exec r tcpdump -Z root --immediate-mode -n -s 0 -B 65536 -U -i $tap -w $out/$tap.pcap 2>$out/$tap.err &
    echo $! >>/run/taps
    patiently grep -q listening $out/$tap.err
  done
}

in_its_middle() { # when the active side pauses
  until [ -e /run/reached ]; do
    [ -e /run/ended ] && return
    sleep 0.1
  done
  in_the_middle
  touch /run/go
}

scenario() { # name, script, addresses of a and of b; the scenario's own before_start and in_the_middle are defined
  name=$1 out=/out/$1
  mkdir -p $out
  rm -f /run/reached /run/go /run/taps /run/ended
  echo "scenario $name"
  network
  before_start
  timeout 150 /usr/bin/ip netns exec b iwarpscope-sctp-peer passive $2 $4 $3 /run >$out/passive.json 2>$out/passive.err &
  passive=$!
  sleep 0.5
  in_its_middle &
  timeout 150 /usr/bin/ip netns exec a iwarpscope-sctp-peer active $2 $3 $4 /run >$out/active.json 2>$out/active.err
  echo $? >$out/active.status
  wait $passive
  echo $? >$out/passive.status
  touch /run/ended
  sleep 0.5
  kill $(cat /run/taps)
  for tap in $(cat /run/taps); do wait $tap; done
  for host in a b; do on $host cat /proc/net/sctp/snmp >$out/$host.snmp; done
  for host in a b r; do ip netns delete $host; done
}

. /scenarios
uname -r >/out/kernel
tar -C /out -c . >/dev/vda
sync
poweroff -f
