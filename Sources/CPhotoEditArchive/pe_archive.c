// SPDX-License-Identifier: Apache-2.0
#include "pe_archive.h"
#include "pe_library.h"
#include <archive.h>
#include <archive_entry.h>
#include <locale.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(ARCHIVE_VERSION_NUMBER >= 3006002, "requires libarchive 3.6.2 or newer");

#define LIBRARY "libarchive.so.13"

#define FUNCTIONS(X)                                                                              \
  X(archive_entry_clear)                                                                          \
  X(archive_entry_filetype)                                                                       \
  X(archive_entry_free)                                                                           \
  X(archive_entry_hardlink)                                                                       \
  X(archive_entry_is_encrypted)                                                                   \
  X(archive_entry_new)                                                                            \
  X(archive_entry_pathname)                                                                       \
  X(archive_entry_set_filetype)                                                                   \
  X(archive_entry_set_mtime)                                                                      \
  X(archive_entry_set_pathname)                                                                   \
  X(archive_entry_set_perm)                                                                       \
  X(archive_entry_set_size)                                                                       \
  X(archive_entry_size)                                                                           \
  X(archive_entry_size_is_set)                                                                    \
  X(archive_error_string)                                                                         \
  X(archive_filter_bytes)                                                                         \
  X(archive_format)                                                                               \
  X(archive_read_data)                                                                            \
  X(archive_read_free)                                                                            \
  X(archive_read_new)                                                                             \
  X(archive_read_next_header)                                                                     \
  X(archive_read_open_filename)                                                                   \
  X(archive_read_support_filter_bzip2)                                                            \
  X(archive_read_support_filter_gzip)                                                             \
  X(archive_read_support_filter_xz)                                                               \
  X(archive_read_support_filter_zstd)                                                             \
  X(archive_read_support_format_7zip)                                                             \
  X(archive_read_support_format_tar)                                                              \
  X(archive_read_support_format_zip)                                                              \
  X(archive_write_close)                                                                          \
  X(archive_write_data)                                                                           \
  X(archive_write_free)                                                                           \
  X(archive_write_header)                                                                         \
  X(archive_write_new)                                                                            \
  X(archive_write_open)                                                                           \
  X(archive_write_set_bytes_per_block)                                                            \
  X(archive_write_set_format_zip)                                                                 \
  X(archive_write_zip_set_compression_store)

#define DECLARE(name) __typeof__(&name) name;
static struct { FUNCTIONS(DECLARE) } library;

enum { BLOCK_SIZE = 1 << 16 };

struct pe_archive {
  struct archive *archive;
  char message[PE_ARCHIVE_MESSAGE_CAPACITY];
};

int32_t pe_archive_load(char *message) {
#define SYMBOL(name) {#name, (void **)&library.name},
  static const pe_library_symbol symbols[] = {FUNCTIONS(SYMBOL)};
  return pe_library_open(LIBRARY, symbols, sizeof symbols / sizeof symbols[0], message);
}

const char *pe_archive_version(void) {
  static const char text[] = ARCHIVE_VERSION_ONLY_STRING;
  return text;
}

const char *pe_archive_library_name(void) { return LIBRARY; }

// libarchive converts names to the character set of the locale, and a program starts in one that
// has only ASCII. The locale of a thread affects no other thread.
static locale_t unicode;
static pthread_once_t unicode_once = PTHREAD_ONCE_INIT;
static void make_unicode(void) { unicode = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0); }

static locale_t enter(void) {
  pthread_once(&unicode_once, make_unicode);
  return unicode != (locale_t)0 ? uselocale(unicode) : (locale_t)0;
}

static void leave(locale_t before) {
  if (before != (locale_t)0) uselocale(before);
}

pe_archive *pe_archive_create(void) {
  pe_archive *reader = calloc(1, sizeof *reader);
  if (reader == NULL) return NULL;
  reader->archive = library.archive_read_new();
  if (reader->archive != NULL) return reader;
  free(reader);
  return NULL;
}

void pe_archive_destroy(pe_archive *reader) {
  if (reader == NULL) return;
  library.archive_read_free(reader->archive);
  free(reader);
}

static pe_archive_code fail(pe_archive *reader, int64_t status) {
  const char *text = library.archive_error_string(reader->archive);
  snprintf(reader->message, sizeof reader->message, "%s", text != NULL ? text : "unknown error");
  pe_library_clean_message(reader->message);
  return status <= ARCHIVE_FATAL ? PE_ARCHIVE_FATAL : PE_ARCHIVE_DAMAGED;
}

pe_archive_code pe_archive_open(pe_archive *reader, const char *path) {
  struct archive *archive = reader->archive;
  // Only formats and compressions that need no other program.
  library.archive_read_support_filter_bzip2(archive);
  library.archive_read_support_filter_gzip(archive);
  library.archive_read_support_filter_xz(archive);
  library.archive_read_support_filter_zstd(archive);
  library.archive_read_support_format_7zip(archive);
  library.archive_read_support_format_tar(archive);
  library.archive_read_support_format_zip(archive);
  locale_t before = enter();
  int status = library.archive_read_open_filename(archive, path, BLOCK_SIZE);
  leave(before);
  if (status >= ARCHIVE_WARN) return PE_ARCHIVE_OK;
  fail(reader, status);
  return PE_ARCHIVE_FATAL;
}

static pe_archive_kind kind(struct archive_entry *entry) {
  // Some programs repeat the content with the link.
  if (library.archive_entry_hardlink(entry) != NULL && library.archive_entry_size(entry) <= 0)
    return PE_ARCHIVE_HARD_LINK;
  switch (library.archive_entry_filetype(entry)) {
  case AE_IFREG: return PE_ARCHIVE_FILE;
  case AE_IFDIR: return PE_ARCHIVE_FOLDER;
  default: return PE_ARCHIVE_OTHER;
  }
}

pe_archive_code pe_archive_next(pe_archive *reader, pe_archive_entry *entry) {
  struct archive_entry *found = NULL;
  locale_t before = enter();
  int status = library.archive_read_next_header(reader->archive, &found);
  // A name that cannot be converted is a warning.
  if (status == ARCHIVE_OK || status == ARCHIVE_WARN) {
    entry->name = library.archive_entry_pathname(found);
    entry->kind = kind(found);
    entry->target = library.archive_entry_hardlink(found);
    entry->is_encrypted = library.archive_entry_is_encrypted(found);
    entry->size =
        library.archive_entry_size_is_set(found) ? library.archive_entry_size(found) : -1;
  }
  leave(before);
  if (status == ARCHIVE_OK || status == ARCHIVE_WARN) return PE_ARCHIVE_OK;
  return status == ARCHIVE_EOF ? PE_ARCHIVE_END : fail(reader, status);
}

pe_archive_code pe_archive_read(pe_archive *reader, void *bytes, size_t capacity, size_t *count) {
  *count = 0;
  la_ssize_t status;
  do status = library.archive_read_data(reader->archive, bytes, capacity);
  while (status == ARCHIVE_RETRY);
  if (status < 0) return fail(reader, status);
  *count = (size_t)status;
  return PE_ARCHIVE_OK;
}

int32_t pe_archive_can_skip(pe_archive *reader) {
  return (library.archive_format(reader->archive) & ARCHIVE_FORMAT_BASE_MASK) == ARCHIVE_FORMAT_ZIP;
}

int64_t pe_archive_position(pe_archive *reader) {
  return library.archive_filter_bytes(reader->archive, -1);
}

const char *pe_archive_message(const pe_archive *reader) { return reader->message; }

// MARK: Writing

struct pe_archive_writer {
  struct archive *archive;
  struct archive_entry *entry;
  /// The bytes from `first` to `end` were not taken yet.
  unsigned char *pending;
  size_t first, end, capacity;
};

// libarchive passes on what it makes as soon as it makes it.
static la_ssize_t keep(struct archive *archive, void *context, const void *bytes, size_t count) {
  (void)archive;
  pe_archive_writer *writer = context;
  if (writer->first == writer->end) writer->first = writer->end = 0;
  if (count > writer->capacity - writer->end) {
    const size_t capacity = 2 * (writer->end + count);
    unsigned char *grown = realloc(writer->pending, capacity);
    if (grown == NULL) return -1;
    writer->pending = grown;
    writer->capacity = capacity;
  }
  memcpy(writer->pending + writer->end, bytes, count);
  writer->end += count;
  return (la_ssize_t)count;
}

pe_archive_writer *pe_archive_writer_create(void) {
  pe_archive_writer *writer = calloc(1, sizeof *writer);
  if (writer == NULL) return NULL;
  writer->archive = library.archive_write_new();
  writer->entry = library.archive_entry_new();
  if (writer->archive != NULL && writer->entry != NULL &&
      library.archive_write_set_format_zip(writer->archive) == ARCHIVE_OK &&
      library.archive_write_zip_set_compression_store(writer->archive) == ARCHIVE_OK &&
      library.archive_write_set_bytes_per_block(writer->archive, 0) == ARCHIVE_OK &&
      library.archive_write_open(writer->archive, writer, NULL, keep, NULL) == ARCHIVE_OK)
    return writer;
  pe_archive_writer_destroy(writer);
  return NULL;
}

void pe_archive_writer_destroy(pe_archive_writer *writer) {
  if (writer == NULL) return;
  if (writer->archive != NULL) library.archive_write_free(writer->archive);
  if (writer->entry != NULL) library.archive_entry_free(writer->entry);
  free(writer->pending);
  free(writer);
}

static pe_archive_code written(int64_t status) {
  return status >= ARCHIVE_WARN ? PE_ARCHIVE_OK : PE_ARCHIVE_FATAL;
}

pe_archive_code pe_archive_writer_begin(pe_archive_writer *writer, const char *name, int64_t size,
                                        int64_t modified) {
  struct archive_entry *entry = library.archive_entry_clear(writer->entry);
  locale_t before = enter();
  library.archive_entry_set_pathname(entry, name);
  library.archive_entry_set_filetype(entry, AE_IFREG);
  library.archive_entry_set_perm(entry, 0644);
  library.archive_entry_set_size(entry, size);
  library.archive_entry_set_mtime(entry, modified, 0);
  int status = library.archive_write_header(writer->archive, entry);
  leave(before);
  return written(status);
}

pe_archive_code pe_archive_writer_add(pe_archive_writer *writer, const void *bytes, size_t count) {
  la_ssize_t status = library.archive_write_data(writer->archive, bytes, count);
  // A file that is larger than its size is cut.
  return status == (la_ssize_t)count ? PE_ARCHIVE_OK : PE_ARCHIVE_FATAL;
}

pe_archive_code pe_archive_writer_finish(pe_archive_writer *writer) {
  locale_t before = enter();
  int status = library.archive_write_close(writer->archive);
  leave(before);
  return written(status);
}

size_t pe_archive_writer_take(pe_archive_writer *writer, void *bytes, size_t capacity) {
  const size_t pending = writer->end - writer->first;
  const size_t count = pending < capacity ? pending : capacity;
  if (count > 0) memcpy(bytes, writer->pending + writer->first, count);
  writer->first += count;
  return count;
}
