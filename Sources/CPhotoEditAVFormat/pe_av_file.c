// SPDX-License-Identifier: Apache-2.0
#include "pe_av_library.h"
#include <errno.h>
#include <string.h>
#include <unistd.h>

enum { BUFFER_SIZE = 1 << 17, MAXIMUM_ZEROS = 16 << 20 };

static int is_zero(const uint8_t *bytes, size_t count) {
  return bytes[0] == 0 && memcmp(bytes, bytes + 1, count - 1) == 0;
}

// libavformat goes through a hole of an AVI file in steps of 8 bytes.
static int exceeds_zeros(struct pe_av_file *file, const uint8_t *bytes, size_t count) {
  if (!file->is_opening) return 0;
  file->zeros = is_zero(bytes, count) ? file->zeros + (int64_t)count : 0;
  return file->zeros > MAXIMUM_ZEROS;
}

static int read_bytes(void *opaque, uint8_t *buffer, int count) {
  struct pe_av_file *file = opaque;
  if (file->cancelled != NULL && file->cancelled(file->context)) {
    file->was_cancelled = 1;
    return AVERROR_EXIT;
  }
  for (;;) {
    ssize_t done = pread(file->descriptor, buffer, (size_t)count, file->position);
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) {
      file->system_error = errno;
      return AVERROR(errno);
    }
    if (done == 0) return AVERROR_EOF;
    file->position += done;
    return exceeds_zeros(file, buffer, (size_t)done) ? AVERROR_INVALIDDATA : (int)done;
  }
}

// FFmpeg 7 does not let a callback change the bytes that it writes.
#if LIBAVFORMAT_VERSION_MAJOR >= 61
typedef const uint8_t written_byte;
#else
typedef uint8_t written_byte;
#endif

static int write_bytes(void *opaque, written_byte *buffer, int count) {
  struct pe_av_file *file = opaque;
  int done = 0;
  // libavformat drops the rest after a failed write and continues; the first errno must not be
  // lost.
  while (done < count && file->system_error == 0) {
    ssize_t part =
        pwrite(file->descriptor, buffer + done, (size_t)(count - done), file->position);
    if (part < 0 && errno == EINTR) continue;
    if (part < 0) {
      file->system_error = errno;
      break;
    }
    done += (int)part;
    file->position += part;
  }
  if (file->position > file->size) file->size = file->position;
  return file->system_error != 0 ? AVERROR(file->system_error) : count;
}

static int64_t seek_bytes(void *opaque, int64_t offset, int whence) {
  struct pe_av_file *file = opaque;
  int64_t target;
  switch (whence & ~AVSEEK_FORCE) {
    case AVSEEK_SIZE: return file->size;
    case SEEK_SET: target = offset; break;
    case SEEK_CUR:
      if (__builtin_add_overflow(file->position, offset, &target)) return AVERROR(EINVAL);
      break;
    case SEEK_END:
      if (__builtin_add_overflow(file->size, offset, &target)) return AVERROR(EINVAL);
      break;
    default: return AVERROR(EINVAL);
  }
  if (target < 0) return AVERROR(EINVAL);
  file->position = target;
  return target;
}

AVIOContext *pe_av_open_file(struct pe_av_file *file, int writes) {
  uint8_t *buffer = pe_av.av_malloc(BUFFER_SIZE);
  if (buffer == NULL) return NULL;
  AVIOContext *io = pe_av.avio_alloc_context(buffer, BUFFER_SIZE, writes, file, read_bytes,
                                             writes ? write_bytes : NULL, seek_bytes);
  if (io == NULL) pe_av.av_freep(&buffer);
  return io;
}

void pe_av_close_file(AVIOContext **io) {
  if (*io == NULL) return;
  pe_av.av_freep(&(*io)->buffer);
  pe_av.avio_context_free(io);
}

int pe_av_refuse_file(AVFormatContext *context, AVIOContext **io, const char *url, int flags,
                      AVDictionary **options) {
  (void)context, (void)io, (void)url, (void)flags, (void)options;
  return AVERROR(EPERM);
}
