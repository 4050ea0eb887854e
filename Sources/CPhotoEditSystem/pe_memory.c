// SPDX-License-Identifier: Apache-2.0
// In C because a signal handler must not allocate or take a lock, and Swift code does both
// implicitly: for the text of a path, or for the metadata of a generic type.
#define _GNU_SOURCE
#include "pe_system.h"
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

static rlim_t limit_bytes;
static int exit_code;
static const char *last_words;

// The peak size of the address space so far, or the limit if the kernel does not report it.
static rlim_t peak(void) {
  static const char name[] = "\nVmPeak:";
  char text[1024];
  const int file = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
  const ssize_t count = file < 0 ? -1 : read(file, text, sizeof text - 1);
  if (file >= 0) close(file);
  if (count < 0) return limit_bytes;
  text[count] = 0;
  const char *digit = strstr(text, name);
  if (!digit) return limit_bytes;
  digit += sizeof name - 1;
  while (*digit == ' ' || *digit == '\t') digit++;
  rlim_t kibibytes = 0;
  for (; *digit >= '0' && *digit <= '9'; digit++) kibibytes = 10 * kibibytes + (rlim_t)(*digit - '0');
  return kibibytes << 10;
}

static void handle(int number) {
  const rlim_t used = peak();
  const rlim_t left = used < limit_bytes ? limit_bytes - used : 0;
  if (left < limit_bytes / 2 || left < (rlim_t)64 << 20) {
    // A failure to write the message cannot be handled.
    if (write(2, last_words, strlen(last_words)) < 0) {}
    _exit(exit_code);
  }
  // The instruction is executed again, or the signal raised again, and ends the process as usual.
  signal(number, SIG_DFL);
  if (number == SIGABRT) raise(number);
}

int pe_limits_address_space(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return 0;
  limit_bytes = limit.rlim_cur;
  return 1;
}

void pe_exit_without_memory(int code, const char *message) {
  if (!pe_limits_address_space()) return;
  exit_code = code;
  last_words = message;
  static const int signals[] = {SIGILL, SIGTRAP, SIGABRT, SIGSEGV, SIGBUS};
  for (size_t index = 0; index < sizeof signals / sizeof *signals; index++) {
    struct sigaction action = {.sa_handler = handle};
    sigemptyset(&action.sa_mask);
    sigaction(signals[index], &action, NULL);
  }
}

void pe_end_with_parent(void) { prctl(PR_SET_PDEATHSIG, SIGKILL); }

void pe_usage(int64_t *processor_time, int64_t *peak) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  *processor_time = ((int64_t)usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000 +
                    usage.ru_utime.tv_usec + usage.ru_stime.tv_usec;
  *peak = usage.ru_maxrss;
}

// Lowers the soft limit only: the hard one could not be raised again.
static int limit_to(int resource, rlim_t value) {
  struct rlimit limit;
  if (getrlimit(resource, &limit) != 0) return -1;
  limit.rlim_cur = value < limit.rlim_max ? value : limit.rlim_max;
  return setrlimit(resource, &limit);
}

void pe_limit_processor_time(int64_t seconds) {
  int64_t used, peak;
  pe_usage(&used, &peak);
  (void)limit_to(RLIMIT_CPU, (rlim_t)(used / 1000000 + 1 + seconds));
}

int pe_limit_growth(int64_t bytes) {
  struct rlimit limit;
  // A stricter limit of the caller stays.
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur != RLIM_INFINITY) return -1;
  return pe_limit_process(getpid(), bytes);
}

void pe_limit_retained_memory(int arenas) {
#ifdef __GLIBC__
  mallopt(M_ARENA_MAX, arenas);
  mallopt(M_MMAP_THRESHOLD, 2 << 20);
#else
  (void)arenas;
#endif
}
