#!/usr/bin/env bash
# Runs the tests that depend most on etcd's version, with one etcd after the other: dev/etcd-matrix.sh [--built] [--full] ETCD...
# ETCD is usual, newest (both fetched on Debian) or the path of an etcd program, such as one of etcd's releases.
# Ends at the first etcd with which a test fails.
# With --built it compiles only changed files: Maven has built these sources, with no change since.
# With --full it runs those of the tests that take long too.
set -euo pipefail
cd "$(dirname "$0")/.."
options=()
if [[ ${1:-} == --built ]]; then
    # Otherwise it compiles all of a module of which a dependency was packed again.
    options=(-Dmaven.compiler.useIncrementalCompilation=false)
    shift
fi
if [[ ${1:-} == --full ]]; then
    options+=(-Pfull)
    shift
fi
if [[ $# -eq 0 ]]; then
    sed -n '2,6s/^# //p' dev/etcd-matrix.sh
    exit 2
fi
for etcd in "$@"; do
    release=$etcd
    unset TIDEMARK_ETCD_BINARY
    if [[ $etcd != usual && $etcd != newest ]]; then
        release=usual
        TIDEMARK_ETCD_BINARY=$(realpath "$etcd")
        export TIDEMARK_ETCD_BINARY
    fi
    printf 'etcd: %s\n' "$etcd"
    mvn -B -ntp verify -Dtidemark.etcd="$release" -pl etcd-client,connector,e2e-tests -am \
        "${options[@]}" -Dfailsafe.failIfNoSpecifiedTests=false \
        -Dit.test='**/etcd/**/*IT,**/connector/**/*IT,IdleEtcdIT,ReadOnlyUserIT,KillIT,EtcdCacheIT,RealEtcdIT'
done
