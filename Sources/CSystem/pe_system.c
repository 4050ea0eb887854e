// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "pe_system.h"
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/vfs.h>
#include <unistd.h>

int pe_rename_exclusively(const char *from, const char *to) {
  return renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE);
}

ssize_t pe_copy_file_range(int from, int to, size_t count) {
  return copy_file_range(from, NULL, to, NULL, count, 0);
}

ssize_t pe_copy_file_range_at(int from, int64_t *source, int to, int64_t *target, size_t count) {
  return copy_file_range(from, source, to, target, count, 0);
}

int pe_sync_file_system(int descriptor) { return syncfs(descriptor); }

int64_t pe_file_system_type(const char *path) {
  struct statfs status;
  return statfs(path, &status) == 0 ? (int64_t)(uint32_t)status.f_type : -1;
}

void pe_advise_huge_pages(void *memory, size_t count) {
  const uintptr_t huge = (uintptr_t)1 << 21;
  uintptr_t first = ((uintptr_t)memory + huge - 1) & ~(huge - 1);
  uintptr_t end = ((uintptr_t)memory + count) & ~(huge - 1);
  if (end > first) (void)madvise((void *)first, end - first, MADV_HUGEPAGE);
}
