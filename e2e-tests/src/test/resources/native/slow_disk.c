/*
 * Stands between a process and the system (LD_PRELOAD), and makes the files below a folder slow:
 * each read, write and sync of them waits as long as a control file says.
 *
 *   SLOW_DISK_FOLDER    the folder, an absolute path
 *   SLOW_DISK_CONTROL   a file that begins with a 32-bit number in the machine's order: milliseconds
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

static const char *folder;
static size_t folder_length;
static volatile const int32_t *delay;

__attribute__((constructor)) static void begin(void) {
    const char *control = getenv("SLOW_DISK_CONTROL");
    folder = getenv("SLOW_DISK_FOLDER");
    if (folder == NULL || control == NULL) {
        return;
    }
    folder_length = strlen(folder);
    int file = open(control, O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        return;
    }
    void *mapped = mmap(NULL, sizeof(int32_t), PROT_READ, MAP_SHARED, file, 0);
    close(file);
    if (mapped != MAP_FAILED) {
        delay = mapped;
    }
}

static void wait_for_disk(int file) {
    int32_t millis = delay == NULL ? 0 : *delay;
    if (millis <= 0) {
        return;
    }
    char link[64];
    char path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, sizeof path);
    if (length <= (ssize_t)folder_length || memcmp(path, folder, folder_length) != 0) {
        return;
    }
    struct timespec wait = {millis / 1000, (millis % 1000) * 1000000L};
    nanosleep(&wait, NULL);
}

#define SLOW(result, name, parameters, arguments)                    \
    result name parameters {                                         \
        static result(*real) parameters;                             \
        if (real == NULL) {                                          \
            real = (result(*) parameters)dlsym(RTLD_NEXT, #name);    \
        }                                                            \
        wait_for_disk(file);                                         \
        return real arguments;                                       \
    }

SLOW(ssize_t, pread, (int file, void *to, size_t count, off_t at), (file, to, count, at))
SLOW(ssize_t, pread64, (int file, void *to, size_t count, off64_t at), (file, to, count, at))
SLOW(ssize_t, read, (int file, void *to, size_t count), (file, to, count))
SLOW(ssize_t, pwrite, (int file, const void *from, size_t count, off_t at), (file, from, count, at))
SLOW(ssize_t, pwrite64, (int file, const void *from, size_t count, off64_t at), (file, from, count, at))
SLOW(ssize_t, write, (int file, const void *from, size_t count), (file, from, count))
SLOW(int, fsync, (int file), (file))
SLOW(int, fdatasync, (int file), (file))
