// SPDX-License-Identifier: Apache-2.0
// Preloaded into a program: notes the calls that decide what a loss of power leaves.
//
// ORDER_BELOW  the folder; files elsewhere are not noted
// ORDER_LOG    the file to which a line is appended for each call, in the order of the calls:
//              write DEVICE:INODE PATH     the content of a file was changed
//              sync DEVICE:INODE PATH      the content of a file, or the names in a folder, are on the disk
//              sync-all                    everything is on the disk
//              name DEVICE:INODE PATH      a name was created, by creation, a link or a renaming
//              remove PATH                 a name was removed
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static int log_descriptor = -1;
static const char *below;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

__attribute__((constructor)) static void begin(void) {
  const char *path = getenv("ORDER_LOG");
  below = getenv("ORDER_BELOW");
  // The system call, because this library contains the function.
  int flags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC;
  if (path && below) log_descriptor = (int)syscall(SYS_openat, AT_FDCWD, path, flags, 0600);
}

static void note(const char *kind, const struct stat *status, const char *path) {
  if (log_descriptor < 0 || (path && strncmp(path, below, strlen(below)) != 0)) return;
  char line[PATH_MAX + 100];
  int count = status ? snprintf(line, sizeof line, "%s %lu:%lu %s\n", kind, (unsigned long)status->st_dev,
                                (unsigned long)status->st_ino, path)
                     : snprintf(line, sizeof line, "%s %s\n", kind, path ? path : "");
  pthread_mutex_lock(&lock);
  syscall(SYS_write, log_descriptor, line, (size_t)count);
  pthread_mutex_unlock(&lock);
}

static void note_descriptor(const char *kind, int descriptor) {
  char name[64], path[PATH_MAX];
  struct stat status;
  if (log_descriptor < 0 || fstat(descriptor, &status) != 0) return;
  if (!S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode)) return;
  snprintf(name, sizeof name, "/proc/self/fd/%d", descriptor);
  ssize_t count = readlink(name, path, sizeof path - 1);
  if (count < 0) return;
  path[count] = 0;
  note(kind, &status, path);
}

// The absolute path of a name in a folder.
static const char *absolute(int folder, const char *path, char buffer[PATH_MAX]) {
  if (path[0] == '/') return path;
  char name[64], base[PATH_MAX / 2];
  if (folder == AT_FDCWD) snprintf(name, sizeof name, "/proc/self/cwd");
  else snprintf(name, sizeof name, "/proc/self/fd/%d", folder);
  ssize_t count = readlink(name, base, sizeof base - 1);
  if (count < 0) return path;
  base[count] = 0;
  snprintf(buffer, PATH_MAX, "%s/%s", base, path);
  return buffer;
}

static void note_name(int folder, const char *path) {
  char buffer[PATH_MAX];
  struct stat status;
  const char *full = absolute(folder, path, buffer);
  if (lstat(full, &status) == 0) note("name", &status, full);
}

static void note_removal(int folder, const char *path) {
  char buffer[PATH_MAX];
  note("remove", NULL, absolute(folder, path, buffer));
}

#define REAL(type, name, parameters)             \
  static type(*real) parameters;                 \
  if (!real) real = (type(*) parameters)dlsym(RTLD_NEXT, #name)

// The note is made before the call: a change may be on the disk from then on.
#define WRITES(type, name, parameters, arguments, descriptor) \
  type name parameters {                                      \
    REAL(type, name, parameters);                             \
    if ((descriptor) > 2) note_descriptor("write", descriptor); \
    return real arguments;                                    \
  }
WRITES(ssize_t, write, (int d, const void *b, size_t n), (d, b, n), d)
WRITES(ssize_t, pwrite, (int d, const void *b, size_t n, off_t o), (d, b, n, o), d)
WRITES(ssize_t, pwrite64, (int d, const void *b, size_t n, off64_t o), (d, b, n, o), d)
WRITES(ssize_t, copy_file_range, (int i, off64_t *p, int o, off64_t *q, size_t n, unsigned f), (i, p, o, q, n, f), o)
WRITES(ssize_t, sendfile, (int o, int i, off_t *p, size_t n), (o, i, p, n), o)
WRITES(ssize_t, sendfile64, (int o, int i, off64_t *p, size_t n), (o, i, p, n), o)
WRITES(int, ftruncate, (int d, off_t n), (d, n), d)
WRITES(int, ftruncate64, (int d, off64_t n), (d, n), d)

#define SYNCS(name)                                      \
  int name(int descriptor) {                             \
    REAL(int, name, (int));                              \
    int result = real(descriptor);                       \
    if (result == 0) note_descriptor("sync", descriptor); \
    return result;                                       \
  }
SYNCS(fsync)
SYNCS(fdatasync)

int syncfs(int descriptor) {
  REAL(int, syncfs, (int));
  int result = real(descriptor);
  if (result == 0) note("sync-all", NULL, NULL);
  return result;
}

#define NAMES(name, parameters, arguments, folder, path, old_folder, old_path) \
  int name parameters {                                                        \
    REAL(int, name, parameters);                                               \
    int result = real arguments;                                               \
    if (result == 0) note_name(folder, path);                                  \
    const char *old = old_path;                                                \
    if (result == 0 && old) note_removal(old_folder, old);                     \
    return result;                                                             \
  }
NAMES(rename, (const char *a, const char *b), (a, b), AT_FDCWD, b, AT_FDCWD, a)
NAMES(renameat, (int d, const char *a, int e, const char *b), (d, a, e, b), e, b, d, a)
NAMES(renameat2, (int d, const char *a, int e, const char *b, unsigned f), (d, a, e, b, f), e, b, d,
      f & RENAME_EXCHANGE ? NULL : a)
NAMES(link, (const char *a, const char *b), (a, b), AT_FDCWD, b, AT_FDCWD, NULL)
NAMES(linkat, (int d, const char *a, int e, const char *b, int f), (d, a, e, b, f), e, b, AT_FDCWD, NULL)
NAMES(mkdir, (const char *a, mode_t m), (a, m), AT_FDCWD, a, AT_FDCWD, NULL)
NAMES(mkdirat, (int d, const char *a, mode_t m), (d, a, m), d, a, AT_FDCWD, NULL)

#define REMOVES(name, parameters, arguments, folder, path) \
  int name parameters {                                    \
    REAL(int, name, parameters);                           \
    int result = real arguments;                           \
    if (result == 0) note_removal(folder, path);           \
    return result;                                         \
  }
REMOVES(unlink, (const char *a), (a), AT_FDCWD, a)
REMOVES(unlinkat, (int d, const char *a, int f), (d, a, f), d, a)
REMOVES(rmdir, (const char *a), (a), AT_FDCWD, a)
REMOVES(remove, (const char *a), (a), AT_FDCWD, a)

#define OPENS(name, declared, folder, ...)                                \
  int name declared {                                                     \
    static int (*real)(__VA_ARGS__, ...);                                 \
    if (!real) real = (int (*)(__VA_ARGS__, ...))dlsym(RTLD_NEXT, #name); \
    mode_t mode = 0;                                                      \
    int is_new = 0;                                                       \
    if (flags & O_CREAT || (flags & __O_TMPFILE) == __O_TMPFILE) {        \
      va_list rest;                                                       \
      va_start(rest, flags);                                              \
      mode = va_arg(rest, mode_t);                                        \
      va_end(rest);                                                       \
      is_new = flags & O_CREAT && faccessat(folder, path, F_OK, AT_SYMLINK_NOFOLLOW) != 0; \
    }
OPENS(open, (const char *path, int flags, ...), AT_FDCWD, const char *, int)
  int result = real(path, flags, mode);
  if (result >= 0 && is_new) note_name(AT_FDCWD, path);
  return result;
}
OPENS(open64, (const char *path, int flags, ...), AT_FDCWD, const char *, int)
  int result = real(path, flags, mode);
  if (result >= 0 && is_new) note_name(AT_FDCWD, path);
  return result;
}
OPENS(openat, (int folder, const char *path, int flags, ...), folder, int, const char *, int)
  int result = real(folder, path, flags, mode);
  if (result >= 0 && is_new) note_name(folder, path);
  return result;
}
OPENS(openat64, (int folder, const char *path, int flags, ...), folder, int, const char *, int)
  int result = real(folder, path, flags, mode);
  if (result >= 0 && is_new) note_name(folder, path);
  return result;
}
