// SPDX-License-Identifier: Apache-2.0
// Linux calls that the Glibc module of Swift does not show because they need _GNU_SOURCE.
#ifndef PE_SYSTEM_H
#define PE_SYSTEM_H
#include "pe_library.h"
#include <sys/types.h>

/// renameat2 with RENAME_NOREPLACE; -1 and errno on failure.
int pe_rename_exclusively(const char *from, const char *to);
/// open, which follows no symbolic link anywhere in the path; -1 and errno on failure: ELOOP for a
/// link in the place of the file, ENOTDIR for one in the place of a folder.
int pe_open_without_links(const char *path, int flags);
/// copy_file_range from and to the current positions; -1 and errno on failure.
ssize_t pe_copy_file_range(int from, int to, size_t count);
/// copy_file_range between two places, which both move on; -1 and errno on failure.
ssize_t pe_copy_file_range_at(int from, int64_t *source, int to, int64_t *target, size_t count);
/// syncfs: everything of the file system that a descriptor is on; -1 and errno on failure.
int pe_sync_file_system(int descriptor);
/// f_type of statfs: what kind of file system a path is on; -1 and errno on failure.
int64_t pe_file_system_type(const char *path);
/// lgetxattr: an extended attribute of a file, not of what a link leads to; -1 and errno on failure.
ssize_t pe_get_attribute(const char *path, const char *name, void *value, size_t size);
/// lsetxattr: sets an extended attribute; -1 and errno on failure.
int pe_set_attribute(const char *path, const char *name, const void *value, size_t size);
/// Whether a file has a POSIX access list, which grants more than its mode tells; 0 where unknown.
int pe_has_access_list(const char *path);
/// Asks for huge pages where some memory holds whole ones; the system may decline.
void pe_advise_huge_pages(void *memory, size_t count);
/// Ends the process with a code and a message when a trap follows from a limit of its address space.
///
/// A trap counts as such where less than half of the limit, or less than a common allocation, was
/// left at the fullest: arenas of the C library reserve 64 MiB and more for a moment, in which the
/// allocation of another thread fails. Other traps end the process as usual. Nothing happens without
/// a limit. To be called once, before other threads start; the message is kept, not copied.
void pe_exit_without_memory(int code, const char *message);
#endif
