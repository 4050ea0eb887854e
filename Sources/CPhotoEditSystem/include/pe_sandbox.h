// SPDX-License-Identifier: Apache-2.0
// A process that may only compute: it keeps its memory, its threads and one socket, and the kernel
// refuses everything else. Also the calls that another process needs to start and to feed it.
#ifndef PE_SANDBOX_H
#define PE_SANDBOX_H
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// The descriptor of the socket in a process started by `pe_start_process`.
#define PE_SANDBOX_SOCKET 3

/// The protection of a confined process.
typedef struct {
  /// Nonzero if a seccomp filter refuses all system calls but those for memory, threads and the
  /// socket.
  int32_t has_filter;
  /// The version of Landlock's interface that denies all files, and from 4 on TCP; 0 without it.
  int32_t landlock;
} pe_confinement;

/// Confines this process, all of its threads included, for the rest of its life.
///
/// \param uses_landlock Zero to leave Landlock out, as on a kernel without it.
/// Libraries must be loaded before. Descriptors above the socket are closed.
pe_confinement pe_confine(int32_t uses_landlock);

/// The number of forbidden actions that `pe_attempt` knows.
int32_t pe_attempt_count(void);
/// The name of a forbidden action: "open a file".
const char *pe_attempt_name(int32_t index);
/// Attempts a forbidden action by the system call itself. Returns 0 if it succeeds, otherwise errno.
int32_t pe_attempt(int32_t index);

/// Ends this process when the other end of the socket is closed, even during a computation.
int32_t pe_end_with_socket(void);

/// Starts a program with one end of a new socket as its fourth descriptor, and with no other than
/// the null device; it is in a process group of its own.
///
/// Messages are kept apart. Returns the other end, or -1 and errno.
int pe_start_process(const char *path, char *const *arguments, pid_t *process);
/// Kills a process and waits for it. Returns its wait status, or -1 if another part waited first.
///
/// Also returns its processor time in microseconds and its largest resident size in KiB, as the next
/// function does for a process that runs; both are 0 if unknown.
int pe_end_process(pid_t process, int64_t *processor_time, int64_t *peak);
void pe_process_usage(pid_t process, int64_t *processor_time, int64_t *peak);
/// Limits the address space of another process to its present size and that many bytes.
int pe_limit_process(pid_t process, int64_t bytes);

/// Creates memory of a fixed size; -1 and errno on failure.
///
/// \param bytes The contents, which cannot be changed either; NULL for zeros that may be written.
int pe_create_memory(size_t count, const void *bytes);
/// Maps such memory for reading; NULL on failure.
void *pe_map_memory(int descriptor, size_t count, int32_t is_writable);
void pe_unmap_memory(void *memory, size_t count);
/// Maps slots of such memory, each of whole pages and followed by a page that ends the process if it
/// is touched; NULL on failure. The distance of the slots is `slot` and one page.
uint8_t *pe_map_slots(int descriptor, size_t slot, size_t count);
void pe_unmap_slots(uint8_t *memory, size_t slot, size_t count);
/// The size of a page of memory.
size_t pe_page_size(void);

/// Sends a message with up to two descriptors, which are -1 if absent; 0, or -1 and errno.
int pe_send_message(int socket, const void *bytes, size_t count, int first, int second);
/// Limits the time that `pe_receive_message` waits for a message of this socket.
void pe_limit_waiting(int socket, int milliseconds);
/// Receives a message with up to two descriptors, which are -1 if absent.
///
/// Returns the size; 0 if the other end is closed; -1 and errno on failure: EAGAIN if the time is
/// over, EMSGSIZE if the message is larger than the buffer.
ssize_t pe_receive_message(
    int socket, void *bytes, size_t capacity, int *first, int *second);
#endif
