// SPDX-License-Identifier: Apache-2.0
// Linux calls that Swift's Glibc module does not expose because they require _GNU_SOURCE.
#ifndef PE_SYSTEM_H
#define PE_SYSTEM_H
#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "photoedit needs a little-endian processor"
#endif
#include "pe_library.h"
#include "pe_sandbox.h"
#include <sys/types.h>

/// renameat2 with RENAME_NOREPLACE; -1 and errno on failure.
int pe_rename_exclusively(const char *from, const char *to);
/// open without following symbolic links anywhere in the path; -1 and errno on failure: ELOOP if
/// the file is a link, ENOTDIR if a folder is.
int pe_open_without_links(const char *path, int flags);
/// Returns whether a name has only parts that are names: it is not empty or absolute, and no part is
/// empty, "." or "..".
int pe_is_beneath(const char *name);
/// open of such a name in an open folder, without following symbolic links in any part; -1 and errno
/// on failure: EXDEV for another name, ELOOP if the file is a link, ELOOP or ENOTDIR if a folder is.
/// Calls openat2, or opens part by part if that is requested or the kernel refuses the call.
int pe_open_beneath(int folder, const char *name, int flags, int by_parts);
/// open with O_TMPFILE: a file in a folder without a name; -1 and errno on failure: EOPNOTSUPP if it
/// could not be linked later.
int pe_open_unnamed(const char *folder);
/// linkat: gives such a file its name; -1 and errno on failure: EEXIST if the name is taken.
int pe_link_unnamed(int descriptor, const char *path);
/// copy_file_range from and to the current positions; -1 and errno on failure.
ssize_t pe_copy_file_range(int from, int to, size_t count);
/// sync_file_range: begins to write a range to the disk, without waiting.
void pe_begin_writeback(int descriptor, int64_t offset, int64_t count);
/// syncfs: syncs the entire file system of a descriptor; -1 and errno on failure.
int pe_sync_file_system(int descriptor);
/// f_type of statfs: the type of a path's file system; -1 and errno on failure.
int64_t pe_file_system_type(const char *path);
/// lgetxattr: an extended attribute of a file, without following links; -1 and errno on failure.
ssize_t pe_get_attribute(const char *path, const char *name, void *value, size_t size);
/// lsetxattr: sets an extended attribute; -1 and errno on failure.
int pe_set_attribute(const char *path, const char *name, const void *value, size_t size);
/// Returns whether a file has a POSIX access control list, which grants more than its mode shows; 0
/// if unknown.
int pe_has_access_list(const char *path);
/// Requests huge pages for the parts of memory that contain whole ones; the system may decline.
void pe_advise_huge_pages(void *memory, size_t count);
/// Maps memory at an address that is a multiple of 2 MiB, in huge pages if possible; NULL if there is
/// not enough. To be released with `pe_unmap_huge_pages` and the same count.
void *pe_map_huge_pages(size_t count);
void pe_unmap_huge_pages(void *memory, size_t count);
/// Ends the process with a code and a message if a trap is caused by its address space limit.
///
/// A trap counts as such if less than half of the limit, or less than a common allocation, was left
/// at peak usage: arenas of the C library briefly reserve 64 MiB and more, during which the
/// allocation of another thread fails. Other traps end the process as usual. Has no effect without
/// a limit. Must be called once, before other threads start; the message is kept, not copied.
void pe_exit_without_memory(int code, const char *message);

/// Returns nonzero if the address space of the process is limited.
int pe_limits_address_space(void);

/// Ends this process by SIGKILL when the thread that started it ends; PR_SET_PDEATHSIG.
void pe_end_with_parent(void);

/// Ends this process by SIGXCPU after that many seconds of processor time from now.
void pe_limit_processor_time(int64_t seconds);

/// Limits the address space to its present size and that many bytes; returns 0 on success.
int pe_limit_growth(int64_t bytes);

/// The processor time of this process in microseconds and its largest resident size in KiB.
void pe_usage(int64_t *processor_time, int64_t *peak);

/// Limits the memory that the C library keeps for the next allocation after it was released.
///
/// Each arena keeps what its threads released, and with glibc's defaults there are eight per core,
/// which keep blocks of up to 32 MiB: a batch whose results are saved by many threads would occupy
/// a multiple of what is in use. Has an effect with glibc only.
void pe_limit_retained_memory(int arenas);
#endif
