// SPDX-License-Identifier: Apache-2.0
#include "pe_fonts.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

// A fused multiply-add, which some processors have, would round once instead of twice.
#pragma STDC FP_CONTRACT OFF

/// Positions in pixels that FreeType's numbers can hold with a margin.
static const double FURTHEST = 1 << 20;

// MARK: Outlines

/// Scales the outline of the loaded glyph, in place, and moves its origin to a position in 64ths of a
/// pixel, upward; returns whether its points are where FreeType can draw them.
static int place(FT_Outline *outline, double scale, double x, double y) {
  for (int i = 0; i < outline->n_points; i++) {
    const double left = x + outline->points[i].x / 64.0 * scale;
    const double up = y + outline->points[i].y / 64.0 * scale;
    if (!(fabs(left) < FURTHEST && fabs(up) < FURTHEST)) return 0;
    outline->points[i].x = lround(left * 64);
    outline->points[i].y = lround(up * 64);
  }
  return 1;
}

/// Replaces an outline by that of a line along it.
static FT_Error stroke(pe_fonts *fonts, FT_Outline *outline, double line, FT_Outline *result) {
  pe_text.FT_Stroker_Set(
      fonts->stroker, lround(line * 64), FT_STROKER_LINECAP_ROUND, FT_STROKER_LINEJOIN_ROUND, 0);
  FT_Error error = pe_text.FT_Stroker_ParseOutline(fonts->stroker, outline, 0);
  FT_UInt points = 0, contours = 0;
  if (error == 0) error = pe_text.FT_Stroker_GetCounts(fonts->stroker, &points, &contours);
  if (error != 0) return error;
  if (points > 32767 || contours > 32767) return FT_Err_Raster_Overflow;
  error = pe_text.FT_Outline_New(fonts->library, points, (FT_Int)contours, result);
  if (error != 0) return error;
  result->n_points = 0;
  result->n_contours = 0;
  pe_text.FT_Stroker_Export(fonts->stroker, result);
  return 0;
}

static pe_text_code code(FT_Error error) {
  return error == 0                      ? PE_TEXT_OK
         : error == FT_Err_Out_Of_Memory ? PE_TEXT_OUT_OF_MEMORY
                                         : PE_TEXT_DAMAGED;
}


static FT_Error load(FT_Face face, uint32_t index) {
  return pe_text.FT_Load_Glyph(face, index, FT_LOAD_NO_HINTING | FT_LOAD_COLOR);
}

// MARK: Measuring

pe_text_code pe_fonts_measure(
    pe_fonts *fonts, const pe_text_glyph *glyph, double size, double x, double y, double line,
    pe_text_bounds *bounds) {
  *bounds = (pe_text_bounds){0, 0, 0, 0};
  FT_Face face = fonts->faces[glyph->face];
  FT_Error error = load(face, glyph->index);
  if (error != 0) return code(error);
  const double scale = size / pe_face_size(face);
  FT_GlyphSlot slot = face->glyph;
  if (slot->format == FT_GLYPH_FORMAT_BITMAP) {
    if (slot->bitmap.width == 0 || slot->bitmap.rows == 0) return PE_TEXT_OK;
    const double left = x + slot->bitmap_left * scale, top = y - slot->bitmap_top * scale;
    *bounds = (pe_text_bounds){left, top, left + slot->bitmap.width * scale,
                               top + slot->bitmap.rows * scale};
    return PE_TEXT_OK;
  }
  if (slot->format != FT_GLYPH_FORMAT_OUTLINE || slot->outline.n_points == 0) return PE_TEXT_OK;
  FT_BBox box;
  pe_text.FT_Outline_Get_CBox(&slot->outline, &box);
  // The layers of a colored glyph may be larger than it; a pixel more is for rounding.
  const double more = line + 1 + (FT_HAS_COLOR(face) ? size * 0.25 : 0);
  *bounds = (pe_text_bounds){
      x + box.xMin / 64.0 * scale - more, y - box.yMax / 64.0 * scale - more,
      x + box.xMax / 64.0 * scale + more, y - box.yMin / 64.0 * scale + more};
  return PE_TEXT_OK;
}

// MARK: Drawing

/// Composites a color with straight alpha over a pixel.
static void blend(uint8_t *pixel, const uint8_t color[3], uint32_t alpha) {
  if (alpha == 0) return;
  const uint32_t below = pixel[3] * (255 - alpha);
  const uint32_t total = alpha * 255 + below;
  for (int i = 0; i < 3; i++)
    pixel[i] = (uint8_t)((color[i] * alpha * 255 + pixel[i] * below + total / 2) / total);
  pixel[3] = (uint8_t)((total + 127) / 255);
}

static pe_text_code draw_outline(
    pe_fonts *fonts, FT_Outline *outline, const uint8_t color[4], pe_text_canvas canvas) {
  FT_BBox box;
  pe_text.FT_Outline_Get_CBox(outline, &box);
  // The part of the canvas that the outline covers.
  const long left = box.xMin >> 6 > 0 ? box.xMin >> 6 : 0;
  const long right = (box.xMax >> 6) + 1 < canvas.width ? (box.xMax >> 6) + 1 : canvas.width;
  const long low = box.yMin >> 6 > 0 ? box.yMin >> 6 : 0;
  const long high = (box.yMax >> 6) + 1 < canvas.height ? (box.yMax >> 6) + 1 : canvas.height;
  if (left >= right || low >= high) return PE_TEXT_OK;
  for (int i = 0; i < outline->n_points; i++) {
    outline->points[i].x -= left * 64;
    outline->points[i].y -= low * 64;
  }
  FT_Bitmap coverage = {0};
  coverage.rows = (unsigned)(high - low);
  coverage.width = (unsigned)(right - left);
  coverage.pitch = (int)coverage.width;
  coverage.pixel_mode = FT_PIXEL_MODE_GRAY;
  coverage.num_grays = 256;
  coverage.buffer = calloc(coverage.rows, coverage.width);
  if (coverage.buffer == NULL) return PE_TEXT_OUT_OF_MEMORY;
  FT_Error error = pe_text.FT_Outline_Get_Bitmap(fonts->library, outline, &coverage);
  if (error == 0) {
    for (unsigned row = 0; row < coverage.rows; row++) {
      const unsigned char *values = coverage.buffer + (size_t)row * coverage.width;
      uint8_t *pixel =
          canvas.pixels + ((size_t)(canvas.height - high + row) * canvas.width + left) * 4;
      for (unsigned column = 0; column < coverage.width; column++, pixel += 4)
        blend(pixel, color, (values[column] * color[3] + 127u) / 255);
    }
  }
  free(coverage.buffer);
  return code(error);
}

/// The mean of a part of a bitmap with premultiplied alpha, with fractions of the pixels at its
/// edges.
static void mean(
    const FT_Bitmap *bitmap, double left, double top, double right, double bottom,
    double result[4]) {
  double sum[4] = {0, 0, 0, 0};
  const int first = (int)floor(top), last = (int)ceil(bottom);
  for (int row = first < 0 ? 0 : first; row < last && row < (int)bitmap->rows; row++) {
    const double height = fmin(bottom, row + 1) - fmax(top, row);
    const unsigned char *line = bitmap->buffer + (ptrdiff_t)row * bitmap->pitch;
    int column = (int)floor(left);
    if (column < 0) column = 0;
    for (; column < (int)ceil(right) && column < (int)bitmap->width; column++) {
      const double area = height * (fmin(right, column + 1) - fmax(left, column));
      for (int i = 0; i < 4; i++) sum[i] += area * line[4 * column + i];
    }
  }
  const double area = (right - left) * (bottom - top);
  for (int i = 0; i < 4; i++) result[i] = sum[i] / area;
}

static void draw_bitmap(
    const FT_Bitmap *bitmap, double left, double top, double scale, uint8_t opacity,
    pe_text_canvas canvas) {
  if (bitmap->pixel_mode != FT_PIXEL_MODE_BGRA || bitmap->rows == 0 || bitmap->pitch <= 0) return;
  const double right = left + bitmap->width * scale, bottom = top + bitmap->rows * scale;
  const int first = (int)fmax(0, floor(top)), last = (int)fmin(canvas.height, ceil(bottom));
  const int start = (int)fmax(0, floor(left)), end = (int)fmin(canvas.width, ceil(right));
  // An enlarged bitmap is read around the position, so that its pixels do not show as squares.
  const double reach = fmax(1 / scale, 1) / 2;
  for (int row = first; row < last; row++) {
    for (int column = start; column < end; column++) {
      const double x = (column + 0.5 - left) / scale, y = (row + 0.5 - top) / scale;
      double value[4];
      mean(bitmap, x - reach, y - reach, x + reach, y + reach, value);
      if (value[3] < 0.5) continue;
      uint8_t color[3];
      for (int i = 0; i < 3; i++)
        color[i] = (uint8_t)fmin(255, value[2 - i] * 255 / value[3] + 0.5);
      const uint32_t alpha = (uint32_t)(value[3] + 0.5);
      blend(
          canvas.pixels + ((size_t)row * canvas.width + column) * 4, color,
          (alpha * opacity + 127) / 255);
    }
  }
}

/// Draws the colored layers of a glyph, or its outline if it has none.
static pe_text_code draw_colored(
    FT_Face face, uint32_t index, double size, double x, double y, const uint8_t color[4],
    pe_text_canvas canvas, int *is_drawn) {
  *is_drawn = 0;
  // A glyph may be larger than the size; the memory of the library is limited.
  const unsigned pixels = size < 1 ? 1 : size > 2048 ? 2048 : (unsigned)ceil(size);
  if (pe_text.FT_Set_Pixel_Sizes(face, 0, pixels) != 0) return PE_TEXT_OK;
  FT_Error error = load(face, index);
  if (error == 0 && face->glyph->format == FT_GLYPH_FORMAT_OUTLINE)
    error = pe_text.FT_Render_Glyph(face->glyph, FT_RENDER_MODE_NORMAL);
  FT_GlyphSlot slot = face->glyph;
  if (error == 0 && slot->bitmap.pixel_mode == FT_PIXEL_MODE_BGRA) {
    const double scale = size / pixels;
    draw_bitmap(
        &slot->bitmap, x + slot->bitmap_left * scale, y - slot->bitmap_top * scale, scale, color[3],
        canvas);
    *is_drawn = 1;
  }
  pe_text.FT_Set_Pixel_Sizes(face, 0, face->units_per_EM);
  return error == FT_Err_Out_Of_Memory ? PE_TEXT_OUT_OF_MEMORY : PE_TEXT_OK;
}

pe_text_code pe_fonts_draw(
    pe_fonts *fonts, const pe_text_glyph *glyph, double size, double x, double y, double line,
    const uint8_t color[4], pe_text_canvas canvas) {
  FT_Face face = fonts->faces[glyph->face];
  FT_Error error = load(face, glyph->index);
  if (error != 0) return code(error);
  FT_GlyphSlot slot = face->glyph;
  const double scale = size / pe_face_size(face);
  if (slot->format == FT_GLYPH_FORMAT_BITMAP) {
    if (line == 0)
      draw_bitmap(
          &slot->bitmap, x + slot->bitmap_left * scale, y - slot->bitmap_top * scale, scale,
          color[3], canvas);
    return PE_TEXT_OK;
  }
  if (slot->format != FT_GLYPH_FORMAT_OUTLINE || slot->outline.n_points == 0) return PE_TEXT_OK;
  if (FT_HAS_COLOR(face)) {
    int is_drawn = 0;
    pe_text_code result =
        line > 0 ? PE_TEXT_OK
                 : draw_colored(face, glyph->index, size, x, y, color, canvas, &is_drawn);
    if (result != PE_TEXT_OK || is_drawn) return result;
    error = load(face, glyph->index);
    if (error != 0) return code(error);
  }
  if (!place(&slot->outline, scale, x, canvas.height - y)) return PE_TEXT_DAMAGED;
  if (line == 0) return draw_outline(fonts, &slot->outline, color, canvas);
  FT_Outline stroked = {0};
  error = stroke(fonts, &slot->outline, line, &stroked);
  pe_text_code result =
      error != 0 ? code(error) : draw_outline(fonts, &stroked, color, canvas);
  pe_text.FT_Outline_Done(fonts->library, &stroked);
  return result;
}
