// SPDX-License-Identifier: Apache-2.0
// Preloaded into a program: counts the calls that change files in a folder, and makes one fail.
//
// FAULTS_BELOW   the folder; calls elsewhere are not counted
// FAULTS_REPORT  the file to which the number of counted calls is written when the program ends
// FAULTS_FOLDERS the file to which the created folders are written whose names were not synced
// FAULTS_LOG     the file descriptor to which the name of each counted call is written
// FAULTS_AT      the number of the call to act on, from 1
// FAULTS_ERRNO   the error of that call; without it the process is killed before the call
// FAULTS_ON      if set, every later call fails as well
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

static atomic_long calls;
static long failing_call, failure, log_descriptor = -1;
static int is_persistent;
static const char *below, *report, *folder_report;

// The folders that were created and whose names are not known to be on the disk.
static char *_Atomic unsynced[1024];
static atomic_int unsynced_count;

static long number(const char *name, long otherwise) {
  const char *text = getenv(name);
  return text ? strtol(text, NULL, 10) : otherwise;
}

__attribute__((constructor)) static void begin(void) {
  failing_call = number("FAULTS_AT", 0);
  failure = number("FAULTS_ERRNO", 0);
  log_descriptor = number("FAULTS_LOG", -1);
  is_persistent = getenv("FAULTS_ON") != NULL;
  below = getenv("FAULTS_BELOW");
  report = getenv("FAULTS_REPORT");
  folder_report = getenv("FAULTS_FOLDERS");
}

static void note_folder(const char *path) {
  int index = folder_report ? atomic_fetch_add(&unsynced_count, 1) : INT_MAX;
  if (index < (int)(sizeof unsynced / sizeof *unsynced)) unsynced[index] = realpath(path, NULL);
}

// Notes that the names in a folder are on the disk; in all folders without a path.
static void note_sync(const char *folder) {
  for (int index = 0; index < (int)unsynced_count; index++) {
    char *path = unsynced[index];
    const char *slash = path ? strrchr(path, '/') : NULL;
    if (!slash) continue;
    size_t length = (size_t)(slash - path);
    if (!folder || (strlen(folder) == length && strncmp(folder, path, length) == 0)) {
      unsynced[index] = NULL;
    }
  }
}

static void report_folders(void) {
  FILE *file = folder_report ? fopen(folder_report, "w") : NULL;
  if (!file) return;
  for (int index = 0; index < (int)unsynced_count; index++) {
    char *path = unsynced[index];
    if (path && access(path, F_OK) == 0) fprintf(file, "%s\n", path);
  }
  fclose(file);
}

__attribute__((destructor)) static void end(void) {
  failing_call = 0;
  report_folders();
  FILE *file = report ? fopen(report, "w") : NULL;
  if (!file) return;
  fprintf(file, "%ld\n", (long)calls);
  fclose(file);
}

static int path_counts(const char *path) {
  return below && path && strncmp(path, below, strlen(below)) == 0;
}

// Finds the path of a descriptor; returns zero if there is none.
static int descriptor_path(int descriptor, char path[PATH_MAX]) {
  char name[64];
  snprintf(name, sizeof name, "/proc/self/fd/%d", descriptor);
  ssize_t count = readlink(name, path, PATH_MAX - 1);
  if (count < 0) return 0;
  path[count] = 0;
  return 1;
}

static int descriptor_counts(int descriptor) {
  char path[PATH_MAX];
  return descriptor_path(descriptor, path) && path_counts(path);
}

// Returns nonzero if this call must fail; errno is then set.
static int fails(const char *name) {
  long call = atomic_fetch_add(&calls, 1) + 1;
  if (log_descriptor >= 0) dprintf((int)log_descriptor, "%s\n", name);
  if (failing_call == 0 || call < failing_call || (call > failing_call && !is_persistent)) return 0;
  if (failure == 0) {
    kill(getpid(), SIGKILL);
    for (;;) pause();
  }
  errno = (int)failure;
  return 1;
}

#define WRAP(type, name, parameters, arguments, counts, otherwise)  \
  type name parameters {                                            \
    static type(*real) parameters;                                  \
    if (!real) real = (type(*) parameters)dlsym(RTLD_NEXT, #name);  \
    if ((counts) && fails(#name)) return otherwise;                 \
    return real arguments;                                          \
  }

WRAP(ssize_t, write, (int d, const void *b, size_t n), (d, b, n), d > 2 && descriptor_counts(d), -1)
WRAP(ssize_t, pwrite, (int d, const void *b, size_t n, off_t o), (d, b, n, o), descriptor_counts(d), -1)
WRAP(ssize_t, pwrite64, (int d, const void *b, size_t n, off64_t o), (d, b, n, o),
     descriptor_counts(d), -1)
WRAP(ssize_t, copy_file_range,
     (int i, off64_t *p, int o, off64_t *q, size_t n, unsigned f), (i, p, o, q, n, f),
     descriptor_counts(o), -1)
int fsync(int descriptor) {
  static int (*real)(int);
  if (!real) real = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
  char path[PATH_MAX];
  int has_path = descriptor_path(descriptor, path);
  if (has_path && path_counts(path) && fails("fsync")) return -1;
  int result = real(descriptor);
  if (result == 0 && has_path) note_sync(path);
  return result;
}

int syncfs(int descriptor) {
  static int (*real)(int);
  if (!real) real = (int (*)(int))dlsym(RTLD_NEXT, "syncfs");
  int result = real(descriptor);
  if (result == 0) note_sync(NULL);
  return result;
}

WRAP(int, fdatasync, (int d), (d), descriptor_counts(d), -1)
WRAP(int, ftruncate, (int d, off_t n), (d, n), descriptor_counts(d), -1)
WRAP(int, ftruncate64, (int d, off64_t n), (d, n), descriptor_counts(d), -1)
WRAP(int, rename, (const char *a, const char *b), (a, b), path_counts(b), -1)
WRAP(int, renameat2, (int d, const char *a, int e, const char *b, unsigned f), (d, a, e, b, f),
     path_counts(b), -1)
WRAP(int, link, (const char *a, const char *b), (a, b), path_counts(b), -1)
WRAP(int, unlink, (const char *a), (a), path_counts(a), -1)
int mkdir(const char *path, mode_t mode) {
  static int (*real)(const char *, mode_t);
  if (!real) real = (int (*)(const char *, mode_t))dlsym(RTLD_NEXT, "mkdir");
  if (path_counts(path) && fails("mkdir")) return -1;
  int result = real(path, mode);
  if (result == 0 && path_counts(path)) note_folder(path);
  return result;
}

WRAP(int, rmdir, (const char *a), (a), path_counts(a), -1)
WRAP(int, chmod, (const char *a, mode_t m), (a, m), path_counts(a), -1)
// For calls relative to a folder descriptor; the path may also be absolute.
static int path_at_counts(int folder, const char *path) {
  if (!path || path[0] == '/') return path_counts(path);
  if (folder != AT_FDCWD) return descriptor_counts(folder);
  char name[PATH_MAX];
  return getcwd(name, sizeof name) && path_counts(name);
}

WRAP(int, renameat, (int d, const char *a, int e, const char *b), (d, a, e, b),
     path_at_counts(e, b), -1)
WRAP(int, linkat, (int d, const char *a, int e, const char *b, int f), (d, a, e, b, f),
     path_at_counts(e, b), -1)
WRAP(int, unlinkat, (int d, const char *a, int f), (d, a, f), path_at_counts(d, a), -1)
WRAP(int, mkdirat, (int d, const char *a, mode_t m), (d, a, m), path_at_counts(d, a), -1)
WRAP(int, symlink, (const char *a, const char *b), (a, b), path_counts(b), -1)
WRAP(int, fchmod, (int d, mode_t m), (d, m), descriptor_counts(d), -1)
WRAP(int, remove, (const char *a), (a), path_counts(a), -1)
WRAP(char *, mkdtemp, (char *a), (a), path_counts(a), NULL)

// The flag of unnamed files includes that of folders.
static int creates(int flags) {
  return flags & O_CREAT || (flags & __O_TMPFILE) == __O_TMPFILE;
}

// mkdtemp changes its argument, which may be the only path with the folder, so it is counted above.
#define WRAP_OPEN(name)                                                 \
  int name(const char *path, int flags, ...) {                          \
    static int (*real)(const char *, int, ...);                         \
    if (!real) real = (int (*)(const char *, int, ...))dlsym(RTLD_NEXT, #name); \
    mode_t mode = 0;                                                    \
    if (creates(flags)) {                                               \
      va_list rest;                                                     \
      va_start(rest, flags);                                            \
      mode = va_arg(rest, mode_t);                                      \
      va_end(rest);                                                     \
      if (path_counts(path) && fails(#name)) return -1;                 \
    }                                                                   \
    return real(path, flags, mode);                                     \
  }
WRAP_OPEN(open)
WRAP_OPEN(open64)

#define WRAP_OPENAT(name)                                               \
  int name(int folder, const char *path, int flags, ...) {              \
    static int (*real)(int, const char *, int, ...);                    \
    if (!real) real = (int (*)(int, const char *, int, ...))dlsym(RTLD_NEXT, #name); \
    mode_t mode = 0;                                                    \
    if (creates(flags)) {                                               \
      va_list rest;                                                     \
      va_start(rest, flags);                                            \
      mode = va_arg(rest, mode_t);                                      \
      va_end(rest);                                                     \
      if (path_at_counts(folder, path) && fails(#name)) return -1;        \
    }                                                                   \
    return real(folder, path, flags, mode);                             \
  }
WRAP_OPENAT(openat)
WRAP_OPENAT(openat64)
