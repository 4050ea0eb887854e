// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "pe_system.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <sys/xattr.h>
#include <unistd.h>

int pe_rename_exclusively(const char *from, const char *to) {
  return renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE);
}

// Opens a path below a folder, which is closed unless it is AT_FDCWD; -1 is a folder that
// could not be opened.
static int open_by_parts(int folder, const char *path, int flags) {
  for (;;) {
    path += strspn(path, "/");
    const size_t count = strcspn(path, "/");
    char name[NAME_MAX + 1];
    int next = -1;
    if (count > NAME_MAX) {
      errno = ENAMETOOLONG;
    } else if (folder != -1) {
      memcpy(name, path, count);
      name[count] = 0;
      const int last = path[count] == 0;
      const int how = last ? flags : O_PATH | O_DIRECTORY;
      next = openat(folder, count ? name : ".", how | O_NOFOLLOW | O_CLOEXEC);
      if (last || next == -1) path = NULL;
    }
    const int code = errno;
    if (folder >= 0) close(folder);
    errno = code;
    if (!path || next == -1) return next;
    folder = next;
    path += count;
  }
}

int pe_open_without_links(const char *path, int flags) {
  return open_by_parts(
      *path == '/' ? open("/", O_PATH | O_DIRECTORY | O_CLOEXEC) : AT_FDCWD, path, flags);
}

int pe_is_beneath(const char *name) {
  if (*name == '/' || *name == 0) return 0;
  for (; *name; name += strcspn(name, "/"), name += *name == '/') {
    const size_t count = strcspn(name, "/");
    if (count == 0 || (count == 1 && *name == '.') || (count == 2 && !memcmp(name, "..", 2)))
      return 0;
    if (name[count] == '/' && name[count + 1] == 0) return 0;
  }
  return 1;
}

int pe_open_beneath(int folder, const char *name, int flags, int by_parts) {
  if (!pe_is_beneath(name)) {
    errno = EXDEV;
    return -1;
  }
  if (!by_parts) {
    const struct open_how how = {
        .flags = (uint64_t)(unsigned)(flags | O_NOFOLLOW | O_CLOEXEC),
        .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS,
    };
    const long file = syscall(SYS_openat2, folder, name, &how, sizeof how);
    // Older kernels do not have the call, and the filters of some containers refuse it.
    if (file >= 0 || (errno != ENOSYS && errno != EPERM)) return (int)file;
  }
  const int start = openat(folder, ".", O_PATH | O_DIRECTORY | O_CLOEXEC);
  return open_by_parts(start, name, flags);
}

// The name under /proc needs no privilege, unlike AT_EMPTY_PATH.
typedef struct {
  char text[32];
} own_name;

static own_name name_of(int descriptor) {
  own_name name;
  snprintf(name.text, sizeof name.text, "/proc/self/fd/%d", descriptor);
  return name;
}

int pe_open_unnamed(const char *folder) {
  const int file = open(folder, O_RDWR | O_TMPFILE | O_CLOEXEC, 0600);
  if (file < 0) return file;
  const own_name name = name_of(file);
  if (access(name.text, F_OK) == 0) return file;
  close(file);
  errno = EOPNOTSUPP;
  return -1;
}

int pe_link_unnamed(int descriptor, const char *path) {
  const own_name name = name_of(descriptor);
  return linkat(AT_FDCWD, name.text, AT_FDCWD, path, AT_SYMLINK_FOLLOW);
}

ssize_t pe_copy_file_range(int from, int to, size_t count) {
  return copy_file_range(from, NULL, to, NULL, count, 0);
}

void pe_begin_writeback(int descriptor, int64_t offset, int64_t count) {
  // Only a hint: a later sync reports what failed.
  (void)sync_file_range(descriptor, offset, count, SYNC_FILE_RANGE_WRITE);
}

int pe_sync_file_system(int descriptor) { return syncfs(descriptor); }

int64_t pe_file_system_type(const char *path) {
  struct statfs status;
  return statfs(path, &status) == 0 ? (int64_t)(uint32_t)status.f_type : -1;
}

ssize_t pe_get_attribute(const char *path, const char *name, void *value, size_t size) {
  return lgetxattr(path, name, value, size);
}

int pe_set_attribute(const char *path, const char *name, const void *value, size_t size) {
  return lsetxattr(path, name, value, size, 0);
}

void pe_advise_huge_pages(void *memory, size_t count) {
  const uintptr_t huge = (uintptr_t)1 << 21;
  uintptr_t first = ((uintptr_t)memory + huge - 1) & ~(huge - 1);
  uintptr_t end = ((uintptr_t)memory + count) & ~(huge - 1);
  if (end > first) (void)madvise((void *)first, end - first, MADV_HUGEPAGE);
}

void *pe_map_huge_pages(size_t count) {
  const size_t huge = (size_t)1 << 21, page = (size_t)sysconf(_SC_PAGESIZE);
  if (count > SIZE_MAX - huge - page) return NULL;
  count = (count + page - 1) & ~(page - 1);
  char *all = mmap(NULL, count + huge, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (all == MAP_FAILED) return NULL;
  const size_t before = (size_t)(-(uintptr_t)all & (huge - 1));
  if (before > 0) (void)munmap(all, before);
  if (before < huge) (void)munmap(all + before + count, huge - before);
  pe_advise_huge_pages(all + before, count);
  return all + before;
}

void pe_unmap_huge_pages(void *memory, size_t count) { (void)munmap(memory, count); }

int pe_has_access_list(const char *path) {
  return getxattr(path, "system.posix_acl_access", NULL, 0) > 0;
}
