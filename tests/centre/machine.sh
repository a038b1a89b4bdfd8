#!/bin/busybox sh
# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
# First program of a virtual machine whose programs are the host's, read-only, and which keeps only what is on its disk. From the
# kernel's command line: address=, disk= (where it is mounted) and program= (what runs then).
/bin/busybox --install -s /bin
mkdir -p /proc /sys /dev /host /changes /all
mount -t proc none /proc
mount -t sysfs none /sys
mount -t devtmpfs none /dev
for word in $(cat /proc/cmdline); do
  case $word in address=*|disk=*|program=*) eval "$word" ;; esac
done
for module in virtio_pci virtio_blk virtio_net 9p 9pnet_virtio overlay crc32c_generic ext4; do modprobe $module || echo "no module $module"; done
mount -t 9p -o ro,trans=virtio,version=9p2000.L,cache=loose,msize=524288 host /host
mount -t tmpfs none /changes
mkdir /changes/upper /changes/work
mount -t overlay -o lowerdir=/host,upperdir=/changes/upper,workdir=/changes/work none /all
for folder in proc sys dev; do mount -o move /$folder /all/$folder; done
mkdir -p /all/dev/shm
for folder in dev/shm run tmp.of.guest; do mkdir -p /all/$folder; mount -t tmpfs -o mode=1777 none /all/$folder; done
mkdir -p "/all$disk"
mount -t ext4 /all/dev/vda "/all$disk" || poweroff -f  # what it writes would not be kept
ifconfig lo up
ifconfig eth0 "$address" netmask 255.255.255.0 up
exec chroot /all /bin/sh "$program"
