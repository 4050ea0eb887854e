// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "pe_sandbox.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static void *watch(void *context) {
  // Without events, only the end of the other side is reported.
  struct pollfd socket = {PE_SANDBOX_SOCKET, 0, 0};
  (void)context;
  while (poll(&socket, 1, -1) <= 0) {}
  _exit(0);
}

int32_t pe_end_with_socket(void) {
  pthread_t thread;
  const int code = pthread_create(&thread, NULL, watch, NULL);
  return code == 0 ? pthread_detach(thread) : code;
}

// Keeps the variables of the dynamic linker and of sanitizers; others may be secrets.
static int is_kept(const char *variable) {
  const char *end = strchr(variable, '=');
  static const char suffix[] = "SAN_OPTIONS";
  return strncmp(variable, "LD_", 3) == 0 ||
         (end && end - variable >= (ptrdiff_t)strlen(suffix) &&
          strncmp(end - strlen(suffix), suffix, strlen(suffix)) == 0);
}

// Returns the environment of a started process; NULL if there is not enough memory.
static char **kept_environment(void) {
  size_t count = 0, kept = 0;
  while (environ && environ[count]) count++;
  char **variables = calloc(count + 1, sizeof *variables);
  for (size_t index = 0; variables && index < count; index++) {
    if (is_kept(environ[index])) variables[kept++] = environ[index];
  }
  return variables;
}

// Returns 0 or an error number.
static int spawn(const char *path, char *const *arguments, int socket, pid_t *process) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  int code = posix_spawn_file_actions_init(&actions);
  if (code != 0) return code;
  code = posix_spawnattr_init(&attributes);
  if (code != 0) {
    posix_spawn_file_actions_destroy(&actions);
    return code;
  }
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  // A signal of the terminal is for the program, which ends its processes itself.
  posix_spawnattr_setflags(
      &attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  // First the socket: its number may be one of those that are opened next.
  if ((code = posix_spawn_file_actions_adddup2(&actions, socket, PE_SANDBOX_SOCKET)) == 0 &&
      (code = posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)) == 0 &&
      (code = posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)) == 0 &&
      (code = posix_spawn_file_actions_adddup2(&actions, 1, 2)) == 0 &&
      (code = posix_spawn_file_actions_addclosefrom_np(&actions, PE_SANDBOX_SOCKET + 1)) == 0) {
    char **variables = kept_environment();
    code = variables ? posix_spawn(process, path, &actions, &attributes, arguments, variables)
                     : ENOMEM;
    free(variables);
  }
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return code;
}

// Returns a descriptor with a higher number than those of a started process, and closes this one.
static int raised(int descriptor) {
  const int higher = fcntl(descriptor, F_DUPFD_CLOEXEC, PE_SANDBOX_SOCKET + 1);
  const int code = errno;
  close(descriptor);
  errno = code;
  return higher;
}

int pe_start_process(const char *path, char *const *arguments, pid_t *process) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) return -1;
  // A program whose standard streams are closed gets low numbers.
  const int own = raised(ends[0]), other = raised(ends[1]);
  int code = own < 0 || other < 0 ? errno : spawn(path, arguments, other, process);
  if (other >= 0) close(other);
  if (code == 0) return own;
  if (own >= 0) close(own);
  errno = code;
  return -1;
}

int pe_end_process(pid_t process, int64_t *processor_time, int64_t *peak) {
  int status;
  struct rusage usage;
  *processor_time = *peak = 0;
  kill(process, SIGKILL);
  while (wait4(process, &status, 0, &usage) < 0) {
    if (errno != EINTR) return -1;
  }
  const struct timeval times[] = {usage.ru_utime, usage.ru_stime};
  for (int index = 0; index < 2; index++) {
    *processor_time += (int64_t)times[index].tv_sec * 1000000 + times[index].tv_usec;
  }
  *peak = usage.ru_maxrss;
  return status;
}

// Reads a small file of /proc and returns its size; 0 on failure.
static size_t read_process_file(pid_t process, const char *name, char *text, size_t capacity) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/%s", (int)process, name);
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  const ssize_t count = file < 0 ? -1 : read(file, text, capacity - 1);
  if (file >= 0) close(file);
  text[count > 0 ? count : 0] = 0;
  return count > 0 ? (size_t)count : 0;
}

void pe_process_usage(pid_t process, int64_t *processor_time, int64_t *peak) {
  clockid_t clock;
  struct timespec time = {0, 0};
  if (clock_getcpuclockid(process, &clock) == 0) clock_gettime(clock, &time);
  *processor_time = (int64_t)time.tv_sec * 1000000 + time.tv_nsec / 1000;
  char text[4096];
  read_process_file(process, "status", text, sizeof text);
  const char *line = strstr(text, "\nVmHWM:");
  *peak = line ? strtoll(line + strlen("\nVmHWM:"), NULL, 10) : 0;
}

int pe_limit_process(pid_t process, int64_t bytes) {
  char text[64];
  if (read_process_file(process, "statm", text, sizeof text) == 0) return -1;
  struct rlimit limits;
  if (prlimit(process, RLIMIT_AS, NULL, &limits) != 0) return -1;
  const rlim_t most = (rlim_t)strtoull(text, NULL, 10) * pe_page_size() + (rlim_t)bytes;
  limits.rlim_cur = most < limits.rlim_max ? most : limits.rlim_max;
  return prlimit(process, RLIMIT_AS, &limits, NULL);
}

size_t pe_page_size(void) { return (size_t)sysconf(_SC_PAGESIZE); }

static int write_all(int descriptor, const char *bytes, size_t count) {
  while (count > 0) {
    const ssize_t written = write(descriptor, bytes, count);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return -1;
    bytes += written;
    count -= (size_t)written;
  }
  return 0;
}

int pe_create_memory(size_t count, const void *bytes) {
  const int descriptor = memfd_create("photoedit", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (descriptor < 0) return -1;
  const int filled =
      bytes ? write_all(descriptor, bytes, count) : ftruncate(descriptor, (off_t)count);
  // The other process could otherwise truncate it, which ends this one.
  const int seals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL | (bytes ? F_SEAL_WRITE : 0);
  if (filled == 0 && fcntl(descriptor, F_ADD_SEALS, seals) == 0) return descriptor;
  const int code = errno;
  close(descriptor);
  errno = code;
  return -1;
}

void *pe_map_memory(int descriptor, size_t count, int32_t is_writable) {
  const int protection = is_writable ? PROT_READ | PROT_WRITE : PROT_READ;
  void *memory = mmap(
      NULL, count, protection, (is_writable ? MAP_SHARED : MAP_PRIVATE) | MAP_POPULATE, descriptor,
      0);
  return memory == MAP_FAILED ? NULL : memory;
}

void pe_unmap_memory(void *memory, size_t count) {
  if (memory) munmap(memory, count);
}

uint8_t *pe_map_slots(int descriptor, size_t slot, size_t count) {
  const size_t page = pe_page_size(), distance = slot + page;
  uint8_t *memory =
      mmap(NULL, distance * count, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return NULL;
  for (size_t index = 0; index < count; index++) {
    void *mapped = mmap(
        memory + index * distance, slot, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, descriptor,
        (off_t)(index * slot));
    if (mapped == MAP_FAILED) {
      munmap(memory, distance * count);
      return NULL;
    }
  }
  return memory;
}

void pe_unmap_slots(uint8_t *memory, size_t slot, size_t count) {
  if (memory) munmap(memory, (slot + pe_page_size()) * count);
}

union control {
  char bytes[CMSG_SPACE(2 * sizeof(int))];
  struct cmsghdr alignment;
};

int pe_send_message(int socket, const void *bytes, size_t count, int first, int second) {
  union control control = {{0}};
  struct iovec part = {(void *)bytes, count};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
  const int descriptors[2] = {first, second};
  const size_t number = first < 0 ? 0 : second < 0 ? 1 : 2;
  if (number > 0) {
    message.msg_control = control.bytes;
    message.msg_controllen = CMSG_SPACE(number * sizeof(int));
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(number * sizeof(int));
    memcpy(CMSG_DATA(header), descriptors, number * sizeof(int));
  }
  ssize_t sent;
  do {
    sent = sendmsg(socket, &message, MSG_NOSIGNAL);
  } while (sent < 0 && errno == EINTR);
  return sent < 0 ? -1 : 0;
}

void pe_limit_waiting(int socket, int milliseconds) {
  const struct timeval time = {milliseconds / 1000, milliseconds % 1000 * 1000};
  setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &time, sizeof time);
}

ssize_t pe_receive_message(
    int socket, void *bytes, size_t capacity, int *first, int *second) {
  *first = *second = -1;
  union control control;
  struct iovec part = {bytes, capacity};
  struct msghdr message = {
      .msg_iov = &part,
      .msg_iovlen = 1,
      .msg_control = control.bytes,
      .msg_controllen = sizeof control.bytes,
  };
  ssize_t count;
  do {
    count = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
  } while (count < 0 && errno == EINTR);
  if (count < 0) return -1;
  int descriptors[2] = {-1, -1};
  for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header;
       header = CMSG_NXTHDR(&message, header)) {
    if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
    memcpy(descriptors, CMSG_DATA(header), header->cmsg_len - CMSG_LEN(0));
  }
  if (message.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) {
    if (descriptors[0] >= 0) close(descriptors[0]);
    if (descriptors[1] >= 0) close(descriptors[1]);
    errno = EMSGSIZE;
    return -1;
  }
  *first = descriptors[0];
  *second = descriptors[1];
  return count;
}
