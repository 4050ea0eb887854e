// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "pe_system.h"
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int pe_rename_exclusively(const char *from, const char *to) {
  return renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE);
}

ssize_t pe_copy_file_range(int from, int to, size_t count) {
  return copy_file_range(from, NULL, to, NULL, count, 0);
}
