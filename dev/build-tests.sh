# Sourced by the scripts of this folder that run a class from a module's tests.
# shellcheck shell=bash disable=SC2034

# build_tests MODULE PHASE: builds a module's tests and all that they need. PHASE is test-compile, or
# package for tests that start processes. Sets classpath, and java: the command with the options of
# every run.
build_tests() {
    local list=$PWD/$1/target/test.classpath
    mvn -B -q -ntp -pl "$1" -am -DskipTests "$2" dependency:build-classpath \
        -DincludeScope=test -Dmdep.outputFile="$list" -Dmdep.regenerateFile=true
    classpath=$1/target/test-classes:$1/target/classes:$(cat "$list")
    java=("$(./tidemark jdk)/bin/java" --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow)
}
