// SPDX-License-Identifier: Apache-2.0
// The C interface, used as a program uses it, and with arguments that no program should pass.
//
// usage: interface PHOTO FOLDER [SMALL-PHOTO RENDERINGS CALLS]
#define _GNU_SOURCE
#include <assert.h>
#include <photoedit.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define CHECK(condition)                                                                  \
  do {                                                                                    \
    if (!(condition)) {                                                                   \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                     \
      exit(1);                                                                            \
    }                                                                                     \
  } while (0)

static photoedit_error error;

/// Checks that a call failed with an exit code and that its error is complete.
static void failed(int line, int32_t result, int32_t expected, const char *code) {
  if (result != expected || error.exit != expected || strcmp(error.code, code) != 0) {
    fprintf(
        stderr, "line %d: returned %d, %s (%s), expected %d, %s\n", line, result, error.code,
        error.message, expected, code);
    exit(1);
  }
  CHECK(error.message[0] != 0);
  photoedit_error_clear(&error);
  photoedit_error_clear(&error);
  CHECK(error.exit == 0 && error.message == NULL);
}

#define fails(result, expected, code) failed(__LINE__, result, expected, code)

static void works(int32_t result) {
  if (result != 0) fprintf(stderr, "returned %d: %s\n", result, error.message);
  CHECK(result == 0 && error.exit == 0 && error.message == NULL);
}

static void run(const char *const *arguments, photoedit_bytes *output) {
  works(photoedit_run(arguments, NULL, 0, 0, NULL, NULL, output, NULL, &error));
}

static photoedit_image opened(const char *path) {
  photoedit_image image;
  works(photoedit_image_open(path, NULL, &image, &error));
  CHECK(image != 0);
  return image;
}

static const char graph[] =
    "{\"format\":\"org.photoedit.filter-graph\",\"version\":\"1.0\",\"nodes\":[{\"filter\":"
    "\"exposure\",\"id\":\"n1\",\"params\":{\"ev\":0.5},\"v\":1}]}";

// MARK: Images

static void test_images(const char *photo, const char *folder) {
  photoedit_image image = opened(photo);
  photoedit_bytes report, file, again;
  works(photoedit_image_inspect(image, &report, &error));
  CHECK(strstr((char *)report.data, "\"schemaVersion\":1") && report.data[report.size] == 0);
  photoedit_bytes_clear(&report);
  photoedit_bytes_clear(&report);
  CHECK(report.data == NULL && report.size == 0);

  const char *const options[] = {"--filter", "sepia", "--quality=80", NULL};
  works(photoedit_image_render(image, NULL, 0, options, 0, &file, &report, &error));
  CHECK(file.size > 1000 && file.data[0] == 0xFF && file.data[1] == 0xD8);
  CHECK(strstr((char *)report.data, "\"width\":"));
  photoedit_bytes_clear(&report);

  // The same image from memory gives the same bytes, and so does the program.
  photoedit_image copy;
  FILE *stream = fopen(photo, "rb");
  CHECK(stream != NULL);
  static unsigned char content[4 << 20];
  size_t size = fread(content, 1, sizeof content, stream);
  fclose(stream);
  works(photoedit_image_open_bytes(content, size, NULL, &copy, &error));
  memset(content, 0, size);
  works(photoedit_image_render(copy, NULL, 0, options, 0, &again, NULL, &error));
  CHECK(again.size == file.size && memcmp(again.data, file.data, file.size) == 0);
  photoedit_bytes_clear(&again);
  const char *const render[] = {"render", photo, "--filter", "sepia", "--quality=80", "-o", "-", NULL};
  run(render, &again);
  CHECK(again.size == file.size && memcmp(again.data, file.data, file.size) == 0);
  photoedit_bytes_clear(&again);
  works(photoedit_image_free(copy));

  // To a file, which is not replaced.
  char path[4096];
  snprintf(path, sizeof path, "%s/sepia.jpg", folder);
  const char *const to_file[] = {"--filter", "sepia", "--quality=80", "-o", path, NULL};
  works(photoedit_image_render(image, NULL, 0, to_file, 0, &again, &report, &error));
  CHECK(again.size == 0 && again.data != NULL);
  photoedit_bytes_clear(&again);
  photoedit_bytes_clear(&report);
  fails(photoedit_image_render(image, NULL, 0, to_file, 0, &again, &report, &error), 73, "exists");
  CHECK(again.data == NULL && report.data == NULL);
  const char *const over[] = {"-o", photo, "--force", NULL};
  fails(photoedit_image_render(image, NULL, 0, over, 0, NULL, NULL, &error), 73, "isOriginal");
  photoedit_bytes_clear(&file);

  works(photoedit_image_render(image, graph, strlen(graph), NULL, 0, &file, NULL, &error));
  photoedit_bytes_clear(&file);
  fails(
      photoedit_image_render(image, "{", 1, NULL, 0, &file, NULL, &error), 65, "graph");
  const char *const twice[] = {"--graph", "other.json", NULL};
  fails(
      photoedit_image_render(image, graph, strlen(graph), twice, 0, &file, NULL, &error), 64,
      "usage");
  works(photoedit_image_render(image, NULL, 0, NULL, 0, NULL, NULL, &error));

  const char *const small[] = {"--size=48", "--format=png", NULL};
  works(photoedit_image_thumbnail(image, small, 0, &file, &report, &error));
  CHECK(memcmp(file.data, "\x89PNG", 4) == 0 && strstr((char *)report.data, "\"width\":48"));
  photoedit_bytes_clear(&file);
  photoedit_bytes_clear(&report);
  works(photoedit_image_free(image));
}

static void test_pixels(const char *photo) {
  photoedit_image image = opened(photo);
  const uint32_t samples[] = {PHOTOEDIT_UINT8, PHOTOEDIT_UINT16, PHOTOEDIT_FLOAT};
  for (size_t i = 0; i < 3; i++) {
    photoedit_pixels pixels;
    photoedit_bytes file;
    works(photoedit_image_render_pixels(image, NULL, 0, NULL, samples[i], 0, &pixels, &error));
    CHECK(pixels.sample == samples[i] && (pixels.channels == 1 || pixels.channels == 3));
    CHECK(pixels.stride == (size_t)pixels.width * pixels.channels * samples[i] / 8);

    // Unchanged pixels are a photo of the same size, with the metadata of the image.
    works(photoedit_image_encode(image, &pixels, NULL, 0, &file, NULL, &error));
    CHECK(file.size > 1000);
    photoedit_bytes_clear(&file);

    // Rows with padding are the same pixels.
    photoedit_pixels padded = pixels;
    padded.stride = pixels.stride + 52;
    unsigned char *rows = calloc(pixels.height, padded.stride);
    for (uint32_t y = 0; y < pixels.height; y++)
      memcpy(rows + y * padded.stride, (char *)pixels.data + y * pixels.stride, pixels.stride);
    padded.data = rows;
    photoedit_image copy;
    photoedit_pixels same;
    works(photoedit_image_open_pixels(&padded, NULL, &copy, &error));
    works(photoedit_image_render_pixels(copy, NULL, 0, NULL, samples[i], 0, &same, &error));
    CHECK(same.width == pixels.width && same.height == pixels.height);
    CHECK(same.channels == pixels.channels && same.icc_size == pixels.icc_size);
    if (samples[i] != PHOTOEDIT_FLOAT)
      CHECK(memcmp(same.data, pixels.data, pixels.stride * pixels.height) == 0);
    works(photoedit_image_free(copy));
    photoedit_pixels_clear(&same);
    photoedit_pixels_clear(&same);
    free(rows);

    // Descriptions that are wrong in one field.
    photoedit_pixels wrong[9];
    for (size_t k = 0; k < 9; k++) wrong[k] = pixels;
    wrong[0].width = 0;
    wrong[1].height = UINT32_MAX;
    wrong[2].channels = 4;
    wrong[3].sample = 64;
    wrong[4].stride = pixels.stride - 1;
    wrong[5].data = NULL;
    wrong[6].icc = NULL, wrong[6].icc_size = 10;
    wrong[7].stride = SIZE_MAX;
    wrong[8].width = UINT32_MAX;
    for (size_t k = 0; k < 9; k++) {
      photoedit_image none = 7;
      fails(photoedit_image_open_pixels(&wrong[k], NULL, &none, &error), 64, "argument");
      CHECK(none == 0);
      fails(photoedit_image_encode(image, &wrong[k], NULL, 0, &file, NULL, &error), 64, "argument");
    }
    uint8_t noise[200];
    memset(noise, 7, sizeof noise);
    photoedit_pixels other = pixels;
    other.icc = noise, other.icc_size = sizeof noise;
    CHECK(photoedit_image_encode(image, &other, NULL, 0, &file, NULL, &error) == 65);
    photoedit_error_clear(&error);
    photoedit_pixels_clear(&pixels);
  }
  photoedit_pixels none;
  fails(
      photoedit_image_render_pixels(image, NULL, 0, NULL, 9, 0, &none, &error), 64, "argument");
  works(photoedit_image_free(image));
}

// MARK: Arguments that no program should pass

static void test_arguments(const char *photo) {
  photoedit_image image = opened(photo), other;
  photoedit_bytes bytes;
  const char *const bad[] = {"--quality=\xff", NULL}, *const unknown[] = {"--no-such", NULL};
  const char *const operand[] = {"photo.jpg", NULL};
  fails(photoedit_image_open(NULL, NULL, &other, &error), 64, "argument");
  fails(photoedit_image_open("\xff\xfe", NULL, &other, &error), 64, "argument");
  fails(photoedit_image_open("none.jpg", NULL, &other, &error), 66, "missing");
  fails(photoedit_image_open("", NULL, &other, &error), 66, "missing");
  fails(photoedit_image_open(photo, NULL, NULL, &error), 64, "argument");
  fails(photoedit_image_open_bytes(NULL, 0, NULL, &other, &error), 64, "argument");
  fails(photoedit_image_open_bytes(NULL, 5, NULL, &other, &error), 64, "argument");
  fails(photoedit_image_open_bytes("x", SIZE_MAX, NULL, &other, &error), 64, "argument");
  fails(photoedit_image_open_bytes("x", 1, NULL, &other, &error), 65, "notAnImage");
  fails(photoedit_image_open_bytes("", 0, NULL, &other, &error), 65, "empty");
  fails(photoedit_image_open_pixels(NULL, NULL, &other, &error), 64, "argument");
  fails(photoedit_image_render(image, NULL, 0, bad, 0, &bytes, NULL, &error), 64, "argument");
  fails(photoedit_image_render(image, NULL, 0, unknown, 0, &bytes, NULL, &error), 64, "usage");
  fails(photoedit_image_render(image, NULL, 0, operand, 0, &bytes, NULL, &error), 64, "usage");
  fails(photoedit_image_render(image, NULL, 9, NULL, 0, &bytes, NULL, &error), 64, "argument");
  fails(photoedit_image_render(image, NULL, 0, NULL, 99, &bytes, NULL, &error), 64, "handle");
  // A handle of another kind.
  fails(photoedit_image_render(image, NULL, 0, NULL, image, &bytes, NULL, &error), 64, "handle");
  fails(photoedit_run(NULL, NULL, 0, 0, NULL, NULL, NULL, NULL, &error), 64, "usage");
  fails(photoedit_run(bad, NULL, 0, 0, NULL, NULL, NULL, NULL, &error), 64, "argument");
  fails(photoedit_run(unknown, NULL, 3, 0, NULL, NULL, NULL, NULL, &error), 64, "argument");
  const char *const serve[] = {"serve", NULL}, *const worker[] = {"worker", NULL};
  fails(photoedit_run(serve, NULL, 0, 0, NULL, NULL, NULL, NULL, &error), 64, "usage");
  fails(photoedit_run(worker, NULL, 0, 0, NULL, NULL, NULL, NULL, &error), 64, "usage");
  CHECK(photoedit_image_open(NULL, NULL, NULL, NULL) == 64);
  photoedit_error_clear(NULL);
  photoedit_bytes_clear(NULL);
  photoedit_pixels_clear(NULL);

  // Freed twice, and used after that.
  works(photoedit_image_free(image));
  CHECK(photoedit_image_free(image) == 64);
  CHECK(photoedit_image_free(0) == 64);
  CHECK(photoedit_cancellation_cancel(image) == 64);
  CHECK(photoedit_library_close(UINT64_MAX) == 64);
  fails(photoedit_image_inspect(image, &bytes, &error), 64, "handle");
}

// MARK: Libraries

static int32_t count_lines(void *context, const uint8_t *data, size_t size) {
  for (size_t i = 0; i < size; i++) *(int *)context += data[i] == '\n';
  return 0;
}

// Counts calls, and those on another thread than the first one.
struct calls {
  pthread_t thread;
  int count, others;
};

static int32_t count_calls(void *context, const uint8_t *data, size_t size) {
  struct calls *calls = context;
  CHECK(data && size > 0);
  calls->count++;
  if (!pthread_equal(calls->thread, pthread_self())) calls->others++;
  return 0;
}

static int32_t refuse(void *context, const uint8_t *data, size_t size) {
  (void)data, (void)size;
  *(int *)context += 1;
  return 1;
}

struct follower {
  const char *folder;
  photoedit_cancellation cancellation;
  int lines, result;
};

static void *follow(void *context) {
  struct follower *follower = context;
  const char *const arguments[] = {
      "changes", "--follow", "--since=beginning", "--json", "-L", follower->folder, NULL};
  follower->result = photoedit_run(
      arguments, NULL, 0, follower->cancellation, count_lines, &follower->lines, NULL, NULL, NULL);
  return NULL;
}

static void test_library(const char *photo, const char *folder) {
  char path[4096];
  snprintf(path, sizeof path, "%s/Photos", folder);
  photoedit_library library;
  fails(photoedit_library_open(path, &library, &error), 66, "missing");
  const char *const create[] = {"library", "create", path, NULL};
  run(create, NULL);
  works(photoedit_library_open(path, &library, &error));
  struct follower follower = {path, photoedit_cancellation_create(), 0, -1};
  pthread_t thread;
  CHECK(pthread_create(&thread, NULL, follow, &follower) == 0);
  const char *const import[] = {"asset", "import", photo, "-L", path, "--json", NULL};
  run(import, NULL);
  const char *const list[] = {"asset", "list", "-L", path, "--json", NULL};
  photoedit_bytes output;
  run(list, &output);
  CHECK(strstr((char *)output.data, "\"originalFilename\""));
  photoedit_bytes_clear(&output);
  int lines = 0;
  works(photoedit_run(list, NULL, 0, 0, count_lines, &lines, NULL, NULL, &error));
  CHECK(lines == 1);
  // Images are inspected on several threads; other languages need the one of the call.
  struct calls received = {pthread_self(), 0, 0};
  const char *const inspect[] = {"inspect", "--json", photo, photo, photo, photo, NULL};
  works(photoedit_run(inspect, NULL, 0, 0, count_calls, &received, NULL, NULL, &error));
  CHECK(received.count == 4 && received.others == 0);
  // A receiver that refuses ends the command like a closed pipe.
  int calls = 0;
  fails(photoedit_run(list, NULL, 0, 0, refuse, &calls, NULL, NULL, &error), 141, "cancelled");
  CHECK(calls == 1);
  for (int i = 0; i < 600 && ((volatile struct follower *)&follower)->lines == 0; i++)
    usleep(50000);
  CHECK(follower.lines == 1);
  works(photoedit_cancellation_cancel(follower.cancellation));
  pthread_join(thread, NULL);
  CHECK(follower.result == 130);
  fails(
      photoedit_run(list, NULL, 0, follower.cancellation, NULL, NULL, NULL, NULL, &error), 130,
      "cancelled");
  works(photoedit_cancellation_free(follower.cancellation));
  works(photoedit_library_close(library));
  CHECK(photoedit_library_close(library) == 64);
}

// MARK: Threads, forks and signals

static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGXFSZ, SIGCHLD, SIGABRT, SIGSEGV};
#define SIGNALS (sizeof signals / sizeof *signals)
static struct sigaction handlers[SIGNALS];

static void *render_often(void *context) {
  photoedit_image image = *(photoedit_image *)context;
  const char *const options[] = {"--filter=sepia", NULL};
  for (int i = 0; i < 5; i++)
    CHECK(photoedit_image_render(image, NULL, 0, options, 0, NULL, NULL, NULL) == 0);
  return NULL;
}

static void test_process(const char *photo) {
  photoedit_image image = opened(photo);
  pthread_t threads[4];
  for (size_t i = 0; i < 4; i++)
    CHECK(pthread_create(&threads[i], NULL, render_often, &image) == 0);
  for (size_t i = 0; i < 4; i++) pthread_join(threads[i], NULL);
  pid_t child = fork();
  CHECK(child >= 0);
  if (child == 0) {
    int32_t result = photoedit_image_inspect(image, NULL, NULL);
    _exit(result == 70 ? 0 : 1);
  }
  int status;
  CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
  for (size_t i = 0; i < SIGNALS; i++) {
    struct sigaction action;
    sigaction(signals[i], NULL, &action);
    CHECK(action.sa_handler == handlers[i].sa_handler && action.sa_flags == handlers[i].sa_flags);
  }
  works(photoedit_image_free(image));
  // Only the formats of other libraries need the program, and only under that policy.
  works(photoedit_set_decoder("/nonexistent/photoedit", NULL));
  works(photoedit_image_free(opened(photo)));
  works(photoedit_set_decoder(NULL, NULL));
  CHECK(photoedit_set_decoder("\xff", NULL) == 64);
}

// MARK: Memory

static long resident(void) {
  long pages = 0;
  FILE *stream = fopen("/proc/self/statm", "r");
  CHECK(stream != NULL && fscanf(stream, "%*d %ld", &pages) == 1);
  fclose(stream);
  return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

static void work(const char *photo, const char *folder, long renderings, long calls) {
  char path[4096];
  snprintf(path, sizeof path, "%s/Photos", folder);
  const char *const options[] = {"--filter=sepia", NULL};
  const char *const list[] = {"asset", "list", "-L", path, "--json", NULL};
  for (long i = 0; i < renderings; i++) {
    photoedit_image image = opened(photo);
    photoedit_bytes file, report;
    works(photoedit_image_render(image, NULL, 0, options, 0, &file, &report, &error));
    photoedit_bytes_clear(&file);
    photoedit_bytes_clear(&report);
    works(photoedit_image_free(image));
  }
  for (long i = 0; i < calls; i++) {
    photoedit_bytes output;
    run(list, &output);
    photoedit_bytes_clear(&output);
  }
}

static void test_memory(const char *photo, const char *folder, long renderings, long calls) {
  char path[4096];
  snprintf(path, sizeof path, "%s/Photos", folder);
  photoedit_library library;
  works(photoedit_library_open(path, &library, &error));
  work(photo, folder, renderings / 4, calls / 4);
  long before = resident();
  work(photo, folder, renderings, calls);
  long after = resident();
  printf("%ld renderings and %ld calls: %ld KiB, then %ld KiB\n", renderings, calls, before, after);
  CHECK(after - before < 4096);
  works(photoedit_library_close(library));
}

int main(int count, char **arguments) {
  CHECK(count == 3 || count == 6);
  const char *photo = arguments[1], *folder = arguments[2];
  for (size_t i = 0; i < SIGNALS; i++) sigaction(signals[i], NULL, &handlers[i]);
  CHECK(photoedit_abi_version() == PHOTOEDIT_ABI_VERSION && photoedit_version()[0] != 0);
  test_images(photo, folder);
  test_pixels(photo);
  test_arguments(photo);
  test_library(photo, folder);
  test_process(photo);
  if (count == 6) test_memory(arguments[3], folder, atol(arguments[4]), atol(arguments[5]));
  return 0;
}
