// SPDX-License-Identifier: Apache-2.0
// Fonts for Swift: shaping with Raqm (HarfBuzz and FriBidi), glyphs with FreeType, and, when an edit
// is made, installed fonts with Fontconfig and subsets of them with HarfBuzz. The libraries are loaded
// when they are first needed. An object must not be used by several threads at the same time.
#ifndef PE_TEXT_H
#define PE_TEXT_H
#include <stddef.h>
#include <stdint.h>

typedef enum __attribute__((enum_extensibility(closed))) {
  PE_TEXT_OK,
  /// A font, or the description of one, cannot be read.
  PE_TEXT_DAMAGED,
  PE_TEXT_OUT_OF_MEMORY,
} pe_text_code;

#define PE_TEXT_MESSAGE_CAPACITY 240

/// Loads the libraries that draw; returns 0, or -1 with the reason in `message`
/// (PE_TEXT_MESSAGE_CAPACITY bytes).
int32_t pe_text_load(char *message);
/// Loads the libraries that find fonts, likewise.
int32_t pe_text_load_finder(char *message);
/// The names and versions of the compiled headers, such as "libfreetype" and "2.12.1", by index; NULL
/// at the end. Nothing is loaded.
const char *pe_text_library_name(int32_t index);
const char *pe_text_library_version(int32_t index);

// MARK: Drawing

/// The faces of a font file or of a collection.
typedef struct pe_fonts pe_fonts;

/// The maximum number of faces that are used.
#define PE_TEXT_MAXIMUM_FACES 32

/// Opens a font; the bytes must outlive it. FreeType is limited to a number of bytes of memory.
pe_text_code pe_fonts_open(
    const uint8_t *bytes, size_t count, size_t maximum_memory, pe_fonts **fonts);
void pe_fonts_close(pe_fonts *fonts);
int32_t pe_fonts_count(const pe_fonts *fonts);
/// Returns whether a face has a glyph for a character.
int32_t pe_fonts_has(const pe_fonts *fonts, int32_t face, uint32_t character);
/// Returns whether a face has colored glyphs.
int32_t pe_fonts_is_colored(const pe_fonts *fonts, int32_t face);
/// The height above and below the baseline, as fractions of the font's size.
void pe_fonts_heights(const pe_fonts *fonts, int32_t face, double *ascent, double *descent);

typedef struct {
  int32_t face;
  uint32_t index;
  /// The origin relative to the beginning of the baseline, to the right and up, as fractions of the
  /// font's size.
  double x, y;
} pe_text_glyph;

/// Shapes a line, in visual order; `faces` has the face of each character. `*glyphs` is freed with
/// `free`. `*width` is a fraction of the font's size.
pe_text_code pe_fonts_shape(
    pe_fonts *fonts, const uint32_t *characters, const uint8_t *faces, size_t count,
    pe_text_glyph **glyphs, size_t *glyph_count, double *width);

/// Pixels with straight alpha, red, green, blue and alpha, from the top.
typedef struct {
  uint8_t *pixels;
  int32_t width, height;
} pe_text_canvas;

/// The bounds of what is drawn, in pixels of a canvas without limits.
typedef struct {
  double left, top, right, bottom;
} pe_text_bounds;

/// Measures a glyph whose origin is at a position of the canvas; empty bounds if it draws nothing.
/// `line` is the width of its outline in pixels on each side.
pe_text_code pe_fonts_measure(
    pe_fonts *fonts, const pe_text_glyph *glyph, double size, double x, double y, double line,
    pe_text_bounds *bounds);
/// Draws a glyph over a canvas. With a `line` above 0, its outline is drawn instead, and nothing of a
/// colored glyph.
pe_text_code pe_fonts_draw(
    pe_fonts *fonts, const pe_text_glyph *glyph, double size, double x, double y, double line,
    const uint8_t color[4], pe_text_canvas canvas);

// MARK: Installed fonts

/// Installed fonts, best first.
typedef struct pe_font_list pe_font_list;

typedef struct {
  /// Valid as long as the list.
  const char *path, *family;
  int32_t index;
  int32_t is_colored;
} pe_font_entry;

/// Finds installed TrueType and OpenType fonts by a pattern of Fontconfig, such as "DejaVu Sans:bold".
/// `characters` are those that the fonts should have.
pe_text_code pe_font_list_find(
    const char *pattern, const uint32_t *characters, size_t count, int32_t prefers_color,
    pe_font_list **list);
void pe_font_list_free(pe_font_list *list);
int32_t pe_font_list_count(const pe_font_list *list);
pe_font_entry pe_font_list_entry(const pe_font_list *list, int32_t index);
int32_t pe_font_list_has(const pe_font_list *list, int32_t index, uint32_t character);
/// Returns whether an entry is of the first family of the pattern, under any of its names.
int32_t pe_font_list_is_named(const pe_font_list *list, int32_t index);

/// Makes a font file of one face with some characters of it; `*result` is freed with `free`.
pe_text_code pe_font_subset(
    const uint8_t *bytes, size_t count, int32_t index, const uint32_t *characters,
    size_t character_count, uint8_t **result, size_t *result_count);
#endif
