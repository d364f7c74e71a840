#!/bin/sh
# Makes the root file system of the container: rootfs.sh BINARY FOLDER [SOURCES]
#
# The Dockerfile runs it, and so does `cargo xtask image`, which needs no daemon. It needs mmdebstrap and a
# Debian of the same architecture. SOURCES is a file of package sources for mmdebstrap; default its own.
# In it are the program, the two libraries that it is linked with, and a user; no shell, no package manager.
set -eu

binary=$1 folder=$2 sources=${3:-}
suite=bookworm
# Fixed, so that a volume keeps its owner when the image is rebuilt.
id=4747
home=/var/lib/griot

# `extract` runs nothing of the packages, so this works in the build of a container, too.
mmdebstrap --quiet --mode=chrootless --variant=extract --include=libc6,libgcc-s1 \
    --dpkgopt='path-exclude=/usr/share/doc/*' \
    --dpkgopt='path-exclude=/usr/share/locale/*' \
    --dpkgopt='path-exclude=/usr/share/lintian/*' \
    --dpkgopt='path-exclude=/usr/lib/*/gconv/*' \
    --dpkgopt='path-include=/usr/share/doc/*/copyright' \
    "$suite" "$folder" ${sources:+"$sources"}
# Of the machine that builds, of the package manager that is not there, or made when a container starts.
for left in dev var/lib/apt var/lib/dpkg var/cache var/log etc/apt etc/dpkg etc/fstab etc/hostname \
    etc/resolv.conf; do
    rm -rf "${folder:?}/$left"
done

echo "root:x:0:0:root:/:/sbin/nologin" > "$folder/etc/passwd"
echo "griot:x:$id:$id:griot:$home:/sbin/nologin" >> "$folder/etc/passwd"
printf 'root:x:0:\ngriot:x:%s:\n' "$id" > "$folder/etc/group"
echo "hosts: files dns" > "$folder/etc/nsswitch.conf"
install -d -m 700 -o "$id" -g "$id" "$folder$home"
install -d -m 1777 "$folder/tmp"
install -d "$folder/dev"
install -D -m 755 "$binary" "$folder/usr/local/bin/griot"
