// SPDX-License-Identifier: Apache-2.0
// Actions that a confined process must not be able to perform, attempted by system calls.
#define _GNU_SOURCE
#include "pe_sandbox.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <netinet/in.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static const char *const names[] = {
    "open a file",       "create a file",      "remove a file", "open a socket", "connect to a port",
    "execute a program", "start a process",    "send a signal", "read another process",
    "make memory executable",
};

static long attempt(int32_t index) {
  switch (index) {
    case 0: return syscall(__NR_openat, AT_FDCWD, "/etc/passwd", O_RDONLY);
    case 1: return syscall(__NR_openat, AT_FDCWD, "photoedit-attempt", O_WRONLY | O_CREAT, 0600);
    // Names no file, so that even a process that may do it does no harm.
    case 2: return syscall(__NR_unlinkat, AT_FDCWD, "/nonexistent/photoedit-attempt", 0);
    case 3: return syscall(__NR_socket, AF_INET, SOCK_STREAM, 0);
    case 4: {
      struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = 0xFFFF};
      return syscall(__NR_connect, PE_SANDBOX_SOCKET, &address, sizeof address);
    }
    case 5: {
      char *const none[] = {NULL};
      return syscall(__NR_execve, "/proc/self/exe", none, none);
    }
    case 6: {
      const long process = syscall(__NR_clone, SIGCHLD, 0, 0, 0, 0);
      if (process == 0) _exit(0);
      return process;
    }
    // Signal 0 only asks whether the process could be signaled.
    case 7: return syscall(__NR_kill, getppid(), 0);
    case 8: return syscall(__NR_pidfd_open, getppid(), 0);
    case 9: {
      void *memory = mmap(
          NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      return memory == MAP_FAILED ? -1 : 0;
    }
    default: errno = EINVAL; return -1;
  }
}

int32_t pe_attempt_count(void) { return sizeof names / sizeof names[0]; }

const char *pe_attempt_name(int32_t index) {
  return index >= 0 && index < pe_attempt_count() ? names[index] : "";
}

int32_t pe_attempt(int32_t index) { return attempt(index) < 0 ? errno : 0; }
