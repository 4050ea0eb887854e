// SPDX-License-Identifier: Apache-2.0
// Preloaded into a program: moves its clock, as wrong settings and time servers do.
//
// CLOCK_OFFSET  the number of seconds that are added to the time of day
// CLOCK_JUMP    the number of seconds that are added besides from the Nth reading on
// CLOCK_AFTER   that N; 1 by default
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>

static atomic_long readings;

static long number(const char *name, long otherwise) {
  const char *text = getenv(name);
  return text ? strtol(text, NULL, 10) : otherwise;
}

static long offset(void) {
  long reading = atomic_fetch_add(&readings, 1) + 1;
  long jump = reading >= number("CLOCK_AFTER", 1) ? number("CLOCK_JUMP", 0) : 0;
  return number("CLOCK_OFFSET", 0) + jump;
}

int clock_gettime(clockid_t clock, struct timespec *time) {
  static int (*real)(clockid_t, struct timespec *);
  if (!real) real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
  int result = real(clock, time);
  if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) time->tv_sec += offset();
  return result;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone) {
  static int (*real)(struct timeval *, void *);
  if (!real) real = (int (*)(struct timeval *, void *))dlsym(RTLD_NEXT, "gettimeofday");
  int result = real(time, zone);
  if (result == 0) time->tv_sec += offset();
  return result;
}

time_t time(time_t *result) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (result) *result = now.tv_sec;
  return now.tv_sec;
}
