// SPDX-License-Identifier: Apache-2.0
// libarchive for Swift: the entries of an archive, from its beginning to its end, and ZIP archives
// that are written. The library is loaded when it is first needed. Readers and writers must not be
// used by several threads at the same time.
#ifndef PE_ARCHIVE_H
#define PE_ARCHIVE_H
#include <stddef.h>
#include <stdint.h>

typedef enum __attribute__((enum_extensibility(closed))) {
  PE_ARCHIVE_OK,
  PE_ARCHIVE_END,
  /// This entry cannot be read; the next one may be.
  PE_ARCHIVE_DAMAGED,
  /// Nothing else of the archive can be read.
  PE_ARCHIVE_FATAL,
} pe_archive_code;

typedef enum __attribute__((enum_extensibility(closed))) {
  PE_ARCHIVE_FILE,
  PE_ARCHIVE_FOLDER,
  /// A hard link to an earlier entry, without content of its own.
  PE_ARCHIVE_HARD_LINK,
  /// A symbolic link, pipe, socket or device.
  PE_ARCHIVE_OTHER,
} pe_archive_kind;

typedef struct {
  /// The bytes of the name, valid until the next entry; NULL if they cannot be read.
  const char *name;
  /// The name of the entry that a hard link leads to, valid as long as the name; otherwise NULL.
  const char *target;
  pe_archive_kind kind;
  int32_t is_encrypted;
  /// The stated size in bytes; -1 if none is stated.
  int64_t size;
} pe_archive_entry;

#define PE_ARCHIVE_MESSAGE_CAPACITY 240

/// Loads the library once; returns 0, or -1 with the reason in `message`
/// (PE_ARCHIVE_MESSAGE_CAPACITY bytes).
int32_t pe_archive_load(char *message);

typedef struct pe_archive pe_archive;

/// Returns NULL if out of memory.
pe_archive *pe_archive_create(void);
void pe_archive_destroy(pe_archive *reader);

/// Opens the archive at a path.
pe_archive_code pe_archive_open(pe_archive *reader, const char *path);
/// Reads the description of the next entry.
pe_archive_code pe_archive_next(pe_archive *reader, pe_archive_entry *entry);
/// Reads the next bytes of the entry; none at its end.
pe_archive_code pe_archive_read(pe_archive *reader, void *bytes, size_t capacity, size_t *count);
/// Returns whether the rest of an entry is skipped without reading it.
int32_t pe_archive_can_skip(pe_archive *reader);
/// The number of bytes of the file that have been read.
int64_t pe_archive_position(pe_archive *reader);

/// The message of the last failed call: one printable clause without a full stop.
const char *pe_archive_message(const pe_archive *reader);

/// A ZIP archive without compression that is made in memory, part by part.
typedef struct pe_archive_writer pe_archive_writer;

/// Returns NULL if out of memory.
pe_archive_writer *pe_archive_writer_create(void);
void pe_archive_writer_destroy(pe_archive_writer *writer);
/// Begins a file with a name in UTF-8, a size in bytes, and a date in seconds since 1970.
pe_archive_code pe_archive_writer_begin(pe_archive_writer *writer, const char *name, int64_t size,
                                        int64_t modified);
/// Adds bytes to the file, which must have its size in the end.
pe_archive_code pe_archive_writer_add(pe_archive_writer *writer, const void *bytes, size_t count);
/// Ends the archive.
pe_archive_code pe_archive_writer_finish(pe_archive_writer *writer);
/// Moves bytes of the archive that were made and not taken yet; returns their number.
size_t pe_archive_writer_take(pe_archive_writer *writer, void *bytes, size_t capacity);

/// The version of the compiled headers; the library need not be loaded.
const char *pe_archive_version(void);
/// The file name of the library.
const char *pe_archive_library_name(void);
#endif
