// SPDX-License-Identifier: Apache-2.0
// Forms of text for search, made by the tokenizer of the full-text index itself, so that a search
// in memory finds exactly what the index finds.
#include "pe_text.h"
#include "pe_text_folding.h"
#include <stdlib.h>
#include <string.h>

struct pe_text {
  fts5_tokenizer functions;
  Fts5Tokenizer *tokenizer;
};

/// A growing buffer; `failed` after memory ran out.
struct buffer {
  char *bytes;
  size_t count, capacity;
  int failed;
};

static void append(struct buffer *buffer, const char *bytes, size_t count) {
  if (buffer->failed) return;
  if (buffer->count + count + 1 > buffer->capacity) {
    size_t capacity = (buffer->count + count + 1) * 2;
    char *grown = realloc(buffer->bytes, capacity);
    if (grown == NULL) {
      buffer->failed = 1;
      return;
    }
    buffer->bytes = grown;
    buffer->capacity = capacity;
  }
  if (count > 0) memcpy(buffer->bytes + buffer->count, bytes, count);
  buffer->count += count;
  buffer->bytes[buffer->count] = 0;
}

/// Letters that Unicode does not decompose, by their UTF-8 bytes, and what people type instead.
static const struct {
  unsigned char first, second;
  const char *text;
} spellings[] = {
    {0xC3, 0x86, "ae"}, {0xC3, 0xA6, "ae"}, {0xC3, 0x98, "o"},  {0xC3, 0xB8, "o"},
    {0xC3, 0x9F, "ss"}, {0xC3, 0x90, "d"},  {0xC3, 0xB0, "d"},  {0xC3, 0x9E, "th"},
    {0xC3, 0xBE, "th"}, {0xC4, 0x90, "d"},  {0xC4, 0x91, "d"},  {0xC4, 0xB1, "i"},
    {0xC5, 0x81, "l"},  {0xC5, 0x82, "l"},  {0xC5, 0x92, "oe"}, {0xC5, 0x93, "oe"},
};

/// Greek letters with diacritics, as ranges of code points, and the letter without them; the
/// tokenizer keeps the diacritics of these letters.
static const struct {
  unsigned short first, last, letter;
} greek[] = {
    {0x0386, 0x0386, 0x3B1}, {0x0388, 0x0388, 0x3B5}, {0x0389, 0x0389, 0x3B7},
    {0x038A, 0x038A, 0x3B9}, {0x038C, 0x038C, 0x3BF}, {0x038E, 0x038E, 0x3C5},
    {0x038F, 0x038F, 0x3C9}, {0x0390, 0x0390, 0x3B9}, {0x03AA, 0x03AA, 0x3B9},
    {0x03AB, 0x03AB, 0x3C5}, {0x03AC, 0x03AC, 0x3B1}, {0x03AD, 0x03AD, 0x3B5},
    {0x03AE, 0x03AE, 0x3B7}, {0x03AF, 0x03AF, 0x3B9}, {0x03B0, 0x03B0, 0x3C5},
    {0x03CA, 0x03CA, 0x3B9}, {0x03CB, 0x03CB, 0x3C5}, {0x03CC, 0x03CC, 0x3BF},
    {0x03CD, 0x03CD, 0x3C5}, {0x03CE, 0x03CE, 0x3C9}, {0x03D3, 0x03D4, 0x3D2},
    {0x1F00, 0x1F0F, 0x3B1}, {0x1F10, 0x1F15, 0x3B5}, {0x1F18, 0x1F1D, 0x3B5},
    {0x1F20, 0x1F2F, 0x3B7}, {0x1F30, 0x1F3F, 0x3B9}, {0x1F40, 0x1F45, 0x3BF},
    {0x1F48, 0x1F4D, 0x3BF}, {0x1F50, 0x1F57, 0x3C5}, {0x1F59, 0x1F59, 0x3C5},
    {0x1F5B, 0x1F5B, 0x3C5}, {0x1F5D, 0x1F5D, 0x3C5}, {0x1F5F, 0x1F5F, 0x3C5},
    {0x1F60, 0x1F6F, 0x3C9}, {0x1F70, 0x1F71, 0x3B1}, {0x1F72, 0x1F73, 0x3B5},
    {0x1F74, 0x1F75, 0x3B7}, {0x1F76, 0x1F77, 0x3B9}, {0x1F78, 0x1F79, 0x3BF},
    {0x1F7A, 0x1F7B, 0x3C5}, {0x1F7C, 0x1F7D, 0x3C9}, {0x1F80, 0x1F8F, 0x3B1},
    {0x1F90, 0x1F9F, 0x3B7}, {0x1FA0, 0x1FAF, 0x3C9}, {0x1FB0, 0x1FB4, 0x3B1},
    {0x1FB6, 0x1FBC, 0x3B1}, {0x1FC2, 0x1FC4, 0x3B7}, {0x1FC6, 0x1FC7, 0x3B7},
    {0x1FC8, 0x1FC9, 0x3B5}, {0x1FCA, 0x1FCC, 0x3B7}, {0x1FD0, 0x1FD3, 0x3B9},
    {0x1FD6, 0x1FDB, 0x3B9}, {0x1FE0, 0x1FE3, 0x3C5}, {0x1FE4, 0x1FE5, 0x3C1},
    {0x1FE6, 0x1FEB, 0x3C5}, {0x1FEC, 0x1FEC, 0x3C1}, {0x1FF2, 0x1FF4, 0x3C9},
    {0x1FF6, 0x1FF7, 0x3C9}, {0x1FF8, 0x1FF9, 0x3BF}, {0x1FFA, 0x1FFC, 0x3C9},
};

/// Returns the Greek letter without diacritics of a letter with them, and the number of its bytes;
/// 0 for all other text.
static unsigned greek_letter(const unsigned char *bytes, size_t count, size_t *length) {
  unsigned code = 0;
  if (count >= 2 && (bytes[0] == 0xCE || bytes[0] == 0xCF)) {
    code = (bytes[0] & 0x1Fu) << 6 | (bytes[1] & 0x3Fu);
    *length = 2;
  } else if (count >= 3 && bytes[0] == 0xE1 && bytes[1] >= 0xBC && bytes[1] <= 0xBF) {
    code = 0x1000u | (bytes[1] & 0x3Fu) << 6 | (bytes[2] & 0x3Fu);
    *length = 3;
  }
  if (code == 0) return 0;
  for (size_t n = 0; n < sizeof greek / sizeof *greek; n++) {
    if (code >= greek[n].first && code <= greek[n].last) return greek[n].letter;
  }
  return 0;
}

/// The characters of scripts without spaces between words, or with endings joined to them, as
/// ranges of code points; each character is a word of its own.
static const struct {
  unsigned short first, last;
} unspaced[] = {
    {0x0E01, 0x0E5B},                                      // Thai
    {0x0E81, 0x0EDF},                                      // Lao
    {0x0F00, 0x0FFF},                                      // Tibetan
    {0x1000, 0x109F}, {0xA9E0, 0xA9FF}, {0xAA60, 0xAA7F},  // Burmese
    {0x1780, 0x17FF}, {0x19E0, 0x19FF},                    // Khmer
    {0x1950, 0x19DF}, {0x1A20, 0x1AAF}, {0xAA80, 0xAADF},  // Tai
    {0x1B00, 0x1B7F}, {0xA980, 0xA9DF},                    // Balinese and Javanese
    {0x3041, 0x318F}, {0x31A0, 0x31BF}, {0x31F0, 0x31FF},  // kana, bopomofo, letters of Hangul
    {0x3400, 0x4DBF}, {0x4E00, 0x9FFF}, {0xF900, 0xFAFF},  // Chinese characters
    {0xA000, 0xA4CF},                                      // Yi
    {0x1100, 0x11FF}, {0xA960, 0xA97F}, {0xAC00, 0xD7FF},  // Hangul
    {0xFF66, 0xFFDC},                                      // halfwidth katakana and Hangul
};

/// Returns the code point of a character of three bytes; 0 for all other text.
static unsigned three_bytes(const unsigned char *bytes, size_t count) {
  if (count < 3 || (bytes[0] & 0xF0) != 0xE0) return 0;
  return (bytes[0] & 0x0Fu) << 12 | (bytes[1] & 0x3Fu) << 6 | (bytes[2] & 0x3Fu);
}

/// Returns the number of bytes of a character that is a word of its own; 0 for all others.
static size_t ideograph(const unsigned char *bytes, size_t count) {
  unsigned code = three_bytes(bytes, count);
  for (size_t n = 0; n < sizeof unspaced / sizeof *unspaced && code != 0; n++) {
    if (code >= unspaced[n].first && code <= unspaced[n].last) return 3;
  }
  // Planes 2 and 3.
  if (count >= 4 && bytes[0] == 0xF0 && bytes[1] >= 0xA0 && bytes[1] < 0xC0) return 4;
  return 0;
}

/// Returns the Hangul syllable that separate letters form, as names of files from some systems have
/// them, and the number of their bytes; 0 for all other text.
static unsigned syllable(const unsigned char *bytes, size_t count, size_t *length) {
  unsigned lead = three_bytes(bytes, count) - 0x1100;
  if (lead >= 19 || count < 6) return 0;
  unsigned vowel = three_bytes(bytes + 3, count - 3) - 0x1161;
  if (vowel >= 21) return 0;
  unsigned tail = count >= 9 ? three_bytes(bytes + 6, count - 6) - 0x11A7 : 0;
  *length = tail >= 1 && tail < 28 ? 9 : 6;
  return 0xAC00 + (lead * 21 + vowel) * 28 + (*length == 9 ? tail : 0);
}

/// Appends letters in UTF-8; those that are words of their own between spaces.
static void append_letters(struct buffer *buffer, const unsigned letters[2], int spaced) {
  for (size_t n = 0; n < 2 && letters[n] != 0; n++) {
    char text[3];
    size_t count = pe_text_write(letters[n], text);
    int is_word = spaced && ideograph((const unsigned char *)text, count) > 0;
    if (is_word) append(buffer, " ", 1);
    append(buffer, text, count);
    if (is_word) append(buffer, " ", 1);
  }
}

static void expand(struct buffer *buffer, const unsigned char *bytes, size_t count, int spaced) {
  size_t start = 0;
  for (size_t i = 0; i < count;) {
    if (bytes[i] < 0x80) {
      i += 1;
      continue;
    }
    size_t length = 0;
    unsigned composed = syllable(bytes + i, count - i, &length);
    if (composed != 0) {
      char character[] = {
          ' ', (char)(0xE0 | composed >> 12), (char)(0x80 | (composed >> 6 & 0x3F)),
          (char)(0x80 | (composed & 0x3F)), ' '};
      append(buffer, (const char *)bytes + start, i - start);
      append(buffer, character + !spaced, spaced ? 5 : 3);
      start = i += length;
      continue;
    }
    unsigned letters[2];
    if (pe_text_form(bytes + i, count - i, letters, &length)) {
      append(buffer, (const char *)bytes + start, i - start);
      append_letters(buffer, letters, spaced);
      start = i += length;
      continue;
    }
    length = spaced ? ideograph(bytes + i, count - i) : 0;
    if (length > 0) {
      append(buffer, (const char *)bytes + start, i - start);
      append(buffer, " ", 1);
      append(buffer, (const char *)bytes + i, length);
      append(buffer, " ", 1);
      start = i += length;
      continue;
    }
    // The capital sharp s.
    if (count - i >= 3 && bytes[i] == 0xE1 && bytes[i + 1] == 0xBA && bytes[i + 2] == 0x9E) {
      append(buffer, (const char *)bytes + start, i - start);
      append(buffer, "ss", 2);
      start = i += 3;
      continue;
    }
    unsigned letter = greek_letter(bytes + i, count - i, &length);
    if (letter != 0) {
      char base[] = {(char)(0xC0 | letter >> 6), (char)(0x80 | (letter & 0x3F))};
      append(buffer, (const char *)bytes + start, i - start);
      append(buffer, base, sizeof base);
      start = i += length;
      continue;
    }
    const char *text = NULL;
    for (size_t n = 0; n < sizeof spellings / sizeof *spellings && count - i >= 2; n++) {
      if (spellings[n].first == bytes[i] && spellings[n].second == bytes[i + 1]) {
        text = spellings[n].text;
        break;
      }
    }
    if (text == NULL) {
      i += 1;
      continue;
    }
    append(buffer, (const char *)bytes + start, i - start);
    append(buffer, text, strlen(text));
    start = i += 2;
  }
  append(buffer, (const char *)bytes + start, count - start);
}

/// A conversion that receives words.
struct conversion {
  struct buffer *result;
  const char *text;
  size_t copied;
  int keeps_separators;
};

static int take(void *context, int flags, const char *word, int count, int start, int end) {
  struct conversion *conversion = context;
  (void)flags;
  if (conversion->keeps_separators) {
    append(conversion->result, conversion->text + conversion->copied,
           (size_t)start - conversion->copied);
    conversion->copied = (size_t)end;
  } else if (conversion->result->count > 0) {
    append(conversion->result, " ", 1);
  }
  append(conversion->result, word, (size_t)count);
  return conversion->result->failed ? SQLITE_NOMEM : SQLITE_OK;
}

/// Returns ASCII text in lower case; NULL for other text and without memory.
static char *folded_ascii(const char *bytes, int count) {
  for (int i = 0; i < count; i++) {
    if ((unsigned char)bytes[i] >= 0x80) return NULL;
  }
  char *result = malloc((size_t)count + 1);
  if (result == NULL) return NULL;
  for (int i = 0; i < count; i++) {
    result[i] = (char)(bytes[i] >= 'A' && bytes[i] <= 'Z' ? bytes[i] + 32 : bytes[i]);
  }
  result[count] = 0;
  return result;
}

char *pe_text_convert(struct pe_text *text, int form, const char *bytes, int count,
                      int *result_count) {
  // Most texts are ASCII, and scans fold a text for each asset.
  char *ascii = form == PE_TEXT_FOLDED ? folded_ascii(bytes, count) : NULL;
  if (ascii != NULL) {
    *result_count = count;
    return ascii;
  }
  struct buffer expanded = {0}, result = {0};
  append(&expanded, "", 0);
  append(&result, "", 0);
  expand(&expanded, (const unsigned char *)bytes, (size_t)count, form != PE_TEXT_FOLDED);
  if (form == PE_TEXT_SEARCHABLE || expanded.failed) {
    free(result.bytes);
    result = expanded;
  } else {
    struct conversion conversion = {&result, expanded.bytes, 0, form == PE_TEXT_FOLDED};
    int code = text->functions.xTokenize(text->tokenizer, &conversion, FTS5_TOKENIZE_AUX,
                                         expanded.bytes, (int)expanded.count, take);
    if (conversion.keeps_separators) {
      append(&result, expanded.bytes + conversion.copied, expanded.count - conversion.copied);
    }
    if (code != SQLITE_OK) result.failed = 1;
    free(expanded.bytes);
  }
  if (result.failed) {
    free(result.bytes);
    return NULL;
  }
  *result_count = (int)result.count;
  return result.bytes;
}

struct pe_text *pe_text_create(void) {
  sqlite3 *database = NULL;
  sqlite3_stmt *statement = NULL;
  fts5_api *api = NULL;
  void *context = NULL;
  struct pe_text *text = calloc(1, sizeof *text);
  const char *options[] = {"remove_diacritics", "2"};
  int is_done = text != NULL && sqlite3_open(":memory:", &database) == SQLITE_OK &&
                sqlite3_prepare_v2(database, "SELECT fts5(?1)", -1, &statement, NULL) ==
                    SQLITE_OK &&
                sqlite3_bind_pointer(statement, 1, &api, "fts5_api_ptr", NULL) == SQLITE_OK &&
                sqlite3_step(statement) == SQLITE_ROW && api != NULL &&
                api->xFindTokenizer(api, "unicode61", &context, &text->functions) == SQLITE_OK &&
                text->functions.xCreate(context, options, 2, &text->tokenizer) == SQLITE_OK;
  sqlite3_finalize(statement);
  sqlite3_close(database);
  if (is_done) return text;
  free(text);
  return NULL;
}

void pe_text_destroy(struct pe_text *text) {
  if (text == NULL) return;
  text->functions.xDelete(text->tokenizer);
  free(text);
}

static void destroy(void *text) { pe_text_destroy(text); }

static void convert(sqlite3_context *context, sqlite3_value *value, int form) {
  if (sqlite3_value_type(value) == SQLITE_NULL) return;
  const char *bytes = (const char *)sqlite3_value_text(value);
  int count = sqlite3_value_bytes(value), result_count = 0;
  char *result = bytes == NULL ? NULL
                               : pe_text_convert(sqlite3_user_data(context), form, bytes, count,
                                                 &result_count);
  if (result == NULL) {
    sqlite3_result_error_nomem(context);
  } else {
    sqlite3_result_text(context, result, result_count, free);
  }
}

static void searchable(sqlite3_context *context, int count, sqlite3_value **values) {
  (void)count;
  convert(context, values[0], PE_TEXT_SEARCHABLE);
}

static void folded(sqlite3_context *context, int count, sqlite3_value **values) {
  (void)count;
  convert(context, values[0], PE_TEXT_FOLDED);
}

static void words(sqlite3_context *context, int count, sqlite3_value **values) {
  (void)count;
  convert(context, values[0], PE_TEXT_WORDS);
}

int pe_text_register(sqlite3 *database) {
  struct pe_text *text = pe_text_create();
  if (text == NULL) return SQLITE_NOMEM;
  int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY;
  // The last function owns the tokenizer; all functions end with the connection.
  int code =
      sqlite3_create_function_v2(database, "searchable", 1, flags, text, searchable, 0, 0, NULL);
  if (code == SQLITE_OK)
    code = sqlite3_create_function_v2(database, "folded", 1, flags, text, folded, 0, 0, NULL);
  if (code != SQLITE_OK) {
    pe_text_destroy(text);
    return code;
  }
  return sqlite3_create_function_v2(database, "words", 1, flags, text, words, 0, 0, destroy);
}
