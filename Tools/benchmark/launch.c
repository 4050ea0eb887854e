// SPDX-License-Identifier: Apache-2.0
// Runs one program and prints its cost: wall time in nanoseconds, CPU time in microseconds, peak
// memory in KiB, minor page faults, and its exit status (128 plus the signal number if it was killed).
//
// On Linux, a process inherits the peak memory of its parent. This one is smaller than any measured
// program, and the measured time includes no shell or interpreter.
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

extern char **environ;

static long long microseconds(struct timeval time) {
  return time.tv_sec * 1000000LL + time.tv_usec;
}

int main(int count, char **arguments) {
  if (count < 2) {
    fputs("usage: launch PROGRAM [ARGUMENT ...]\n", stderr);
    return 64;
  }
  posix_spawn_file_actions_t actions;
  int error = posix_spawn_file_actions_init(&actions);
  if (!error) error = posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  if (!error) error = posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);

  struct timespec begin, end;
  clock_gettime(CLOCK_MONOTONIC, &begin);
  pid_t child = 0;
  if (!error) error = posix_spawn(&child, arguments[1], &actions, NULL, arguments + 1, environ);
  if (error) {
    fprintf(stderr, "%s: %s\n", arguments[1], strerror(error));
    return 127;
  }
  int status = 0;
  struct rusage usage;
  while (wait4(child, &status, 0, &usage) < 0) {
    if (errno != EINTR) {
      perror("wait4");
      return 71;
    }
  }
  clock_gettime(CLOCK_MONOTONIC, &end);

  long long wall = (end.tv_sec - begin.tv_sec) * 1000000000LL + (end.tv_nsec - begin.tv_nsec);
  printf("%lld %lld %ld %ld %d\n", wall, microseconds(usage.ru_utime) + microseconds(usage.ru_stime),
         usage.ru_maxrss, usage.ru_minflt,
         WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status));
  return 0;
}
