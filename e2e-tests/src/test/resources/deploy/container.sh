#!/bin/sh
# Runs a command as a container of the image would: below a read-only root with the image's files, as its user, without
# capabilities. To be run by: unshare --mount. Only mounts of this process change.
#   container.sh ROOT RELEASE JAVA HOSTS DATA MOUNTS COMMAND...
#   ROOT      an empty folder
#   RELEASE   what the image has in /opt/tidemark
#   HOSTS     the container's /etc/hosts
#   DATA      the volume of /var/lib/tidemark
#   MOUNTS    the folder with all mounts below /etc/tidemark
set -eu
root=$1 release=$2 java=$3 hosts=$4 data=$5 mounts=$6
shift 6

mount --make-rprivate /
mount -t tmpfs -o mode=755 tmpfs "$root"
cd "$root"
mkdir -p usr proc dev tmp opt/tidemark opt/java etc/tidemark var/lib/tidemark
cp -a /bin /lib /sbin .
[ ! -e /lib64 ] || cp -a /lib64 .
cp /etc/nsswitch.conf /etc/ld.so.cache etc
cp "$hosts" etc/hosts
printf 'root:x:0:0::/root:/bin/sh\ntidemark:x:10001:10001::/var/lib/tidemark:/bin/sh\n' >etc/passwd

for each in "/usr usr" "$release opt/tidemark" "$java opt/java" "$mounts etc/tidemark"; do
    mount --bind "${each% *}" "${each##* }"
    mount -o remount,bind,ro "${each##* }"
done
mount --rbind /proc proc
mount --rbind /dev dev
mount -t tmpfs -o mode=1777 tmpfs tmp
mount --bind "$data" var/lib/tidemark
mount -o remount,ro "$root"

exec /usr/sbin/chroot "$root" setpriv --reuid=10001 --regid=10001 --clear-groups --no-new-privs --inh-caps=-all \
    --bounding-set=-all -- "$@"
