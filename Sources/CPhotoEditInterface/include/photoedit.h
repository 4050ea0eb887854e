// SPDX-License-Identifier: Apache-2.0
//
// photoedit: non-destructive editing of photos, and photo libraries, for C and for languages that
// call C.
//
//   Results   Every function that can fail returns 0, or the exit code of the command line (64 for
//             wrong arguments, 65 for damaged data, 66 for a missing file, …; 'photoedit help
//             exit-codes' lists them), and fills the error, which may be NULL. It never throws,
//             never ends the process, and writes nothing to standard output or standard error.
//   Options   Arrays of arguments that end with NULL, exactly as the command line takes them:
//             {"--quality", "90", "--fit", "2048", NULL}. NULL is an empty array. 'photoedit help
//             render' and 'photoedit help thumbnail' list them.
//   JSON      The lines that the commands print with --json; "schemaVersion" is in each of them.
//   Text      UTF-8. Text that is not valid is refused with 64.
//   Memory    The caller owns what a function writes to its results, and clears it with
//             photoedit_…_clear, which also resets the structure: clearing it again does nothing.
//             Results are written whole or, after a failure, reset; they need no initialization
//             and are not cleared before they are written.
//   Handles   Numbers, never 0. A handle that was freed, is of another kind, or never existed is
//             refused with 64. A handle that is in use by another thread may be freed: its object
//             lives until that use ends.
//   Threads   Every function may be called on any thread, with the same handles at once. Calls
//             block; work within a call is spread over threads of its own (--threads).
//   Forks     A process that has called any function of this library cannot use it in a child that
//             fork() created: calls there return 70, because the threads of the parent are missing.
//             fork() followed by exec() is always fine. Python: multiprocessing with "spawn".
//   Signals   No handler is installed, no mask or disposition is changed, and interrupted system
//             calls are repeated. Handlers of the program may not call this library, except for
//             setting a variable that another thread reads to cancel.
//   Process   The library reads environment variables such as PHOTOEDIT_LIBRARY and TMPDIR; do not
//             change the environment in another thread. Memory that cannot be allocated ends the
//             process: give --max-memory, or run 'photoedit worker' for untrusted files.
#ifndef PHOTOEDIT_H
#define PHOTOEDIT_H
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The version of this interface. It is incremented when a function or a structure changes in a way
/// that existing programs notice; functions may be added without that.
#define PHOTOEDIT_ABI_VERSION 1

/// Returns the version of the interface that the library has.
int32_t photoedit_abi_version(void);

/// Returns the version of the program that the library has, such as "0.2.0"; valid permanently.
const char *photoedit_version(void);

// MARK: Results

/// A failure. All texts are NULL if there was none.
typedef struct photoedit_error {
  /// The exit code of the command line; 0 if there was no failure.
  int32_t exit;
  /// A stable name, such as "missing" or "limitExceeded".
  char *code;
  /// The failure and its reason, in one line.
  char *message;
  /// A suggestion for recovery; NULL if absent.
  char *hint;
} photoedit_error;

void photoedit_error_clear(photoedit_error *error);

/// Bytes in memory, followed by a zero byte that `size` does not count.
typedef struct photoedit_bytes {
  uint8_t *data;
  size_t size;
} photoedit_bytes;

void photoedit_bytes_clear(photoedit_bytes *bytes);

/// The type of the samples of pixels.
enum {
  /// uint8_t, white is 255.
  PHOTOEDIT_UINT8 = 8,
  /// uint16_t in the byte order of the machine, white is 65535.
  PHOTOEDIT_UINT16 = 16,
  /// float, white is 1; values may be outside of 0…1.
  PHOTOEDIT_FLOAT = 32,
};

/// Pixels in memory: rows from the top, samples of a pixel next to each other, orientation applied,
/// gamma-encoded values.
typedef struct photoedit_pixels {
  uint32_t width, height;
  /// 1 for gray, 3 for red, green and blue.
  uint32_t channels;
  /// PHOTOEDIT_UINT8, PHOTOEDIT_UINT16 or PHOTOEDIT_FLOAT.
  uint32_t sample;
  /// The distance from a row to the next one in bytes; pixels of the library have no padding.
  size_t stride;
  /// The first row.
  void *data;
  /// The ICC profile; NULL for sRGB.
  uint8_t *icc;
  size_t icc_size;
} photoedit_pixels;

/// Frees pixels that the library has written; those of the program are not to be passed to it.
void photoedit_pixels_clear(photoedit_pixels *pixels);

// MARK: Decoders

/// Names the program 'photoedit' of the same version, which from then on decodes HEIF, WebP, TIFF, GIF
/// and raw files and the frames of videos for this process in a confined process of its own. NULL, as
/// without this call: they are decoded in this process. Where the program that was named cannot be
/// started or is another one, these files are refused. A child of fork() may still be the first that
/// uses the library. The option --sandbox of photoedit_run changes the policy for all calls that
/// follow: auto, require or off; see 'photoedit help options'.
int32_t photoedit_set_decoder(const char *program, photoedit_error *error);

// MARK: Cancellation

/// The handle of an object that ends calls early; 0 if absent.
typedef uint64_t photoedit_cancellation;

/// Creates a cancellation for any number of calls, at the same time or one after another.
photoedit_cancellation photoedit_cancellation_create(void);

/// Cancels the calls that use it, on any thread; they return 130 soon, and later ones at once.
int32_t photoedit_cancellation_cancel(photoedit_cancellation cancellation);

int32_t photoedit_cancellation_free(photoedit_cancellation cancellation);

// MARK: Commands

/// Receives standard output of a command as it is written, in whole lines if it is text; returns 0,
/// or another number to end the command. Called on the thread of the call, which waits meanwhile. It
/// may call the library.
typedef int32_t (*photoedit_output)(void *context, const uint8_t *data, size_t size);

/// Runs a command of 'photoedit': edits ("apply", "adjust", "revert", "undo", "show", …), libraries
/// ("asset import", "asset list", "asset set", "album add", "changes", …) and everything else that
/// 'photoedit help' lists, except "serve" and "worker", which need a process of their own.
///
/// {"changes", "-L", folder, "--follow", "--json", NULL} with a receiver reports each change of a
/// library until it is canceled.
///
/// arguments: the words after 'photoedit'. input, input_size: standard input. receiver, context:
/// get standard output; without a receiver it is in `output`. messages: the text for standard error.
/// Each of the results may be NULL.
///
/// Returns the exit code. If it is 1, some of several inputs failed; with --json, their errors are in
/// the output. Unlike other results, `output` and `messages` also hold what a command has written
/// before it failed; clear them in any case.
int32_t photoedit_run(
    const char *const *arguments, const void *input, size_t input_size,
    photoedit_cancellation cancellation, photoedit_output receiver, void *context,
    photoedit_bytes *output, photoedit_bytes *messages, photoedit_error *error);

// MARK: Libraries

/// A photo library that stays open, so that commands with it need not open it each time.
typedef uint64_t photoedit_library;

/// Opens the library in a folder; 'library create' creates one.
int32_t photoedit_library_open(
    const char *folder, photoedit_library *library, photoedit_error *error);

/// Completes what was postponed for later, and closes the library unless a command uses it.
int32_t photoedit_library_close(photoedit_library library);

// MARK: Images

/// An opened image, which does not change: its file was read when it was opened.
typedef uint64_t photoedit_image;

/// Opens a file. options: the limits of 'photoedit inspect', such as --max-memory, and --lenient and
/// --sandbox; they also apply to what is rendered from the image.
int32_t photoedit_image_open(
    const char *path, const char *const *options, photoedit_image *image, photoedit_error *error);

/// Opens an encoded file in memory, which is copied.
int32_t photoedit_image_open_bytes(
    const void *data, size_t size, const char *const *options, photoedit_image *image,
    photoedit_error *error);

/// Opens pixels, which are copied. Floats are rounded to 16 bits between black and white.
int32_t photoedit_image_open_pixels(
    const photoedit_pixels *pixels, const char *const *options, photoedit_image *image,
    photoedit_error *error);

int32_t photoedit_image_free(photoedit_image image);

/// Writes the report of 'photoedit inspect --json'.
int32_t photoedit_image_inspect(
    photoedit_image image, photoedit_bytes *report, photoedit_error *error);

/// Renders a JPEG, as 'photoedit render' does.
///
/// graph, graph_size: the JSON of a filter graph; NULL for the one with which an edit begins.
/// options: those of 'photoedit render' for one image, such as --filter, --quality, --strip, --fit.
/// With -o FILE, the file is written atomically and `file` stays empty. report: the line of 'render
/// --json'; may be NULL, as `file` may.
int32_t photoedit_image_render(
    photoedit_image image, const void *graph, size_t graph_size, const char *const *options,
    photoedit_cancellation cancellation, photoedit_bytes *file, photoedit_bytes *report,
    photoedit_error *error);

/// Renders pixels in the color space that the JPEG would have. sample: PHOTOEDIT_UINT8, … . The other
/// arguments are those of photoedit_image_render; -o is refused.
int32_t photoedit_image_render_pixels(
    photoedit_image image, const void *graph, size_t graph_size, const char *const *options,
    uint32_t sample, photoedit_cancellation cancellation, photoedit_pixels *pixels,
    photoedit_error *error);

/// Encodes pixels that the program has derived from an image as a JPEG with the metadata, profile and
/// quality of the image, as photoedit_image_render does. Their profile must be the one that
/// photoedit_image_render_pixels returns for the image without a graph; their size may differ. The
/// options are those that leave pixels as they are: --quality, --strip, --keep, --max-bytes, … .
int32_t photoedit_image_encode(
    photoedit_image image, const photoedit_pixels *pixels, const char *const *options,
    photoedit_cancellation cancellation, photoedit_bytes *file, photoedit_bytes *report,
    photoedit_error *error);

/// Creates a thumbnail in sRGB. options: --size, --fill, --enlarge, --embedded, --quality and
/// --format of 'photoedit thumbnail'.
int32_t photoedit_image_thumbnail(
    photoedit_image image, const char *const *options, photoedit_cancellation cancellation,
    photoedit_bytes *file, photoedit_bytes *report, photoedit_error *error);

#ifdef __cplusplus
}
#endif

#endif
