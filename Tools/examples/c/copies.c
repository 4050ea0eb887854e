// SPDX-License-Identifier: Apache-2.0
//
// Copies of photos with their edits, for the web: at most 2048 pixels, in sRGB, without locations.
//
// usage: copies FOLDER PHOTO...
//
// Ctrl-C ends it after the photos that are being written. It exits with the exit code of photoedit.
#define _POSIX_C_SOURCE 200809L
#include <photoedit.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Waits for Ctrl-C; a handler of signals may not call the library.
static void *wait_for_interruption(void *cancellation) {
  sigset_t signals;
  int received;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  if (sigwait(&signals, &received) == 0)
    photoedit_cancellation_cancel(*(photoedit_cancellation *)cancellation);
  return NULL;
}

typedef struct {
  int done, count;
} Progress;

/// Receives a line of JSON for each photo that was written or failed.
static int32_t show_progress(void *context, const uint8_t *data, size_t size) {
  Progress *progress = context;
  for (const uint8_t *end = data + size; data < end; data++) progress->done += *data == '\n';
  printf("\r%d of %d", progress->done, progress->count);
  fflush(stdout);
  return 0;
}

int main(int count, char **arguments) {
  if (count < 3) {
    fprintf(stderr, "usage: copies FOLDER PHOTO...\n");
    return 64;
  }
  // Every thread inherits the mask, so that only the one that waits gets the signal.
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  pthread_sigmask(SIG_BLOCK, &signals, NULL);
  photoedit_cancellation cancellation = photoedit_cancellation_create();
  pthread_t waiting;
  if (pthread_create(&waiting, NULL, wait_for_interruption, &cancellation)) return 71;

  const char *const options[] = {
      "apply", "--json", "--quiet", "--fit=2048", "--srgb", "--sharpen-for=screen",
      "--strip=location", "--template={name}", "--output"};
  const size_t beginning = sizeof options / sizeof *options;
  const char **words = calloc(beginning + (size_t)count + 1, sizeof *words);
  char *folder = malloc(strlen(arguments[1]) + 2);
  if (!words || !folder) return 71;
  memcpy(words, options, sizeof options);
  // A name that ends with a slash is a folder, which is created.
  words[beginning] = strcat(strcpy(folder, arguments[1]), "/");
  words[beginning + 1] = "--";
  memcpy(words + beginning + 2, arguments + 2, ((size_t)count - 2) * sizeof *words);

  Progress progress = {0, count - 2};
  photoedit_bytes messages;
  photoedit_error error;
  int32_t result = photoedit_run(
      words, NULL, 0, cancellation, show_progress, &progress, NULL, &messages, &error);
  printf("\n");
  // The messages name each photo that failed; the error is there if no photo was processed.
  if (messages.size)
    fprintf(stderr, "%s", (const char *)messages.data);
  else if (result)
    fprintf(stderr, "%s: %s\n", error.code, error.message);

  photoedit_bytes_clear(&messages);
  photoedit_error_clear(&error);
  free(words);
  free(folder);
  pthread_cancel(waiting);
  pthread_join(waiting, NULL);
  photoedit_cancellation_free(cancellation);
  return result;
}
