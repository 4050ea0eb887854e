// SPDX-License-Identifier: Apache-2.0
//
// A plug-in for GIMP 2.10: opens a photo with its edit, and saves what is painted over it as a
// filter of that edit. The original is never changed.
#include <glib/gstdio.h>
#include <json-glib/json-glib.h>
#include <libgimp/gimp.h>
#include <libgimp/gimpui.h>
#include <photoedit.h>
#include <string.h>

#define PLUG_IN "photoedit-gimp"
#define OPEN "plug-in-photoedit-open"
#define SAVE "plug-in-photoedit-save"
// The parasite of an image that names its photo and its edit, and of the layer that shows them.
#define MARK "photoedit"
// The name of the file of a painting, by which its filter is found again.
#define PAINTING "gimp-painting"
// A file of an edit may have 16 MiB.
#define MAXIMUM_BYTES (16 << 20)

// MARK: The library

/// An edit up to its painting, which is the filter that is saved.
typedef struct {
  char *photo;
  /// The file that the filters are applied to.
  char *source;
  /// The graph of the filters before the painting; NULL without filters.
  char *graph;
  /// The identifier of the painting's filter and its file; NULL before the first painting.
  char *node, *painting;
  /// The number of filters after the painting.
  guint later;
  /// A temporary folder, with the files that the graph refers to.
  char *folder;
  GPtrArray *options;
} Edit;

static gboolean failed(GError **error, const char *message) {
  g_set_error_literal(error, GIMP_PLUG_IN_ERROR, 0, message);
  return FALSE;
}

static gboolean library_failed(GError **error, photoedit_error *failure) {
  g_set_error(
      error, GIMP_PLUG_IN_ERROR, failure->exit, "%s%s%s (%s)",
      failure->message ? failure->message : "photoedit failed", failure->hint ? "\n" : "",
      failure->hint ? failure->hint : "", failure->code ? failure->code : "unknown");
  photoedit_error_clear(failure);
  return FALSE;
}

/// Runs a command with --json and returns its report.
static G_GNUC_NULL_TERMINATED JsonNode *run_command(GError **error, const char *command, ...) {
  GPtrArray *words = g_ptr_array_new();
  g_ptr_array_add(words, (gpointer)command);
  g_ptr_array_add(words, (gpointer) "--json");
  va_list more;
  va_start(more, command);
  for (const char *word; (word = va_arg(more, const char *));)
    g_ptr_array_add(words, (gpointer)word);
  va_end(more);
  g_ptr_array_add(words, NULL);

  photoedit_error failure;
  photoedit_bytes output;
  JsonNode *report = NULL;
  int32_t result = photoedit_run(
      (const char *const *)words->pdata, NULL, 0, 0, NULL, NULL, &output, NULL, &failure);
  if (result) {
    library_failed(error, &failure);
  } else {
    report = json_from_string((const char *)output.data, error);
  }
  // A command that fails has written its report, too.
  photoedit_bytes_clear(&output);
  g_ptr_array_free(words, TRUE);
  return report;
}

static void edit_free(Edit *edit) {
  if (!edit) return;
  GDir *folder = edit->folder ? g_dir_open(edit->folder, 0, NULL) : NULL;
  if (folder) {
    for (const char *name; (name = g_dir_read_name(folder));) {
      char *path = g_build_filename(edit->folder, name, NULL);
      g_unlink(path);
      g_free(path);
    }
    g_dir_close(folder);
    g_rmdir(edit->folder);
  }
  g_free(edit->photo);
  g_free(edit->source);
  g_free(edit->graph);
  g_free(edit->node);
  g_free(edit->painting);
  g_free(edit->folder);
  g_ptr_array_unref(edit->options);
  g_free(edit);
}

/// Whether a filter is a painting as this plug-in saves it. One that was moved, disabled or blended
/// since then is part of the photo.
static gboolean is_painting(JsonObject *node) {
  if (g_strcmp0(json_object_get_string_member_with_default(node, "filter", ""), "overlay") ||
      json_object_get_size(node) != 4 || !json_object_has_member(node, "params"))
    return FALSE;
  JsonObject *values = json_object_get_object_member(node, "params");
  const char *asset = json_object_get_string_member_with_default(values, "asset", "");
  const char *anchor = json_object_get_string_member_with_default(values, "anchor", "");
  return g_str_has_prefix(asset, PAINTING) && !strcmp(anchor, "topLeft") &&
         json_object_get_double_member_with_default(values, "scale", 0) == 1 &&
         json_object_get_double_member_with_default(values, "margin", 1) == 0;
}

/// Finds the painting of a graph and removes it, and what follows it, from the graph.
static gboolean divide(Edit *edit, JsonObject *graph, GError **error) {
  JsonArray *nodes = json_object_get_array_member(graph, "nodes");
  JsonObject *files = json_object_has_member(graph, "assets")
      ? json_object_get_object_member(graph, "assets")
      : NULL;
  if (files) {
    char *path = g_build_filename(edit->folder, "edit.json", NULL);
    JsonNode *report = run_command(error, "preset", "-o", path, "--", edit->photo, NULL);
    g_free(path);
    if (!report) return FALSE;
    JsonArray *paths = json_object_get_array_member(json_node_get_object(report), "files");
    for (guint index = 0; index < json_array_get_length(paths); index++) {
      g_ptr_array_add(edit->options, g_strdup("--attachment"));
      g_ptr_array_add(edit->options, g_strdup(json_array_get_string_element(paths, index)));
    }
    json_node_unref(report);
  }
  guint count = json_array_get_length(nodes), index = count;
  while (index > 0 && !is_painting(json_array_get_object_element(nodes, index - 1))) index--;
  if (index == 0) return TRUE;

  JsonObject *node = json_array_get_object_element(nodes, index - 1);
  edit->node = g_strdup(json_object_get_string_member(node, "id"));
  edit->later = count - index;
  const char *asset =
      json_object_get_string_member(json_object_get_object_member(node, "params"), "asset");
  if (!files || !json_object_has_member(files, asset))
    return failed(error, "The painting of the edit is missing.");
  JsonObject *file = json_object_get_object_member(files, asset);
  const char *text = json_object_get_string_member_with_default(file, "data", NULL);
  if (text) {
    gsize size;
    guchar *data = g_base64_decode(text, &size);
    edit->painting = g_build_filename(edit->folder, "painting.png", NULL);
    gboolean is_written = g_file_set_contents(edit->painting, (char *)data, (gssize)size, error);
    g_free(data);
    if (!is_written) return FALSE;
  } else {
    // Larger files are named after the first digits of their digests.
    const char *digest = strchr(json_object_get_string_member(file, "digest"), ':');
    char *name = g_strdup_printf("%.16s.png", digest ? digest + 1 : "");
    edit->painting = g_build_filename(edit->folder, name, NULL);
    g_free(name);
  }
  while (json_array_get_length(nodes) >= index) json_array_remove_element(nodes, index - 1);
  return TRUE;
}

static Edit *edit_read(const char *photo, GError **error) {
  Edit *edit = g_new0(Edit, 1);
  edit->photo = g_strdup(photo);
  edit->options = g_ptr_array_new_with_free_func(g_free);
  edit->folder = g_dir_make_tmp("photoedit-XXXXXX", error);
  JsonNode *report = edit->folder ? run_command(error, "show", "--", photo, NULL) : NULL;
  gboolean is_read = report != NULL;
  if (report) {
    JsonObject *shown = json_node_get_object(report);
    gboolean is_edited = json_object_get_boolean_member(shown, "edited");
    gboolean is_resumable = is_edited && json_object_get_boolean_member(shown, "resumable");
    // Another program's edit cannot be resumed; filters are then added to its result.
    const char *other = is_resumable ? "base" : "current";
    JsonArray *versions = json_object_get_array_member(shown, "versions");
    edit->source = g_strdup(photo);
    for (guint index = 0; is_edited && index < json_array_get_length(versions); index++) {
      JsonObject *version = json_array_get_object_element(versions, index);
      if (g_strcmp0(json_object_get_string_member(version, "name"), other)) continue;
      g_free(edit->source);
      edit->source = g_strdup(json_object_get_string_member(version, "path"));
    }
    if (is_resumable) {
      is_read = divide(edit, json_object_get_object_member(shown, "graph"), error);
      edit->graph = json_to_string(json_object_get_member(shown, "graph"), FALSE);
    }
    json_node_unref(report);
  }
  g_ptr_array_add(edit->options, NULL);
  if (is_read) return edit;
  edit_free(edit);
  return NULL;
}

/// What must be the same when an image is opened and saved.
static char *edit_digest(const Edit *edit) {
  char *text = g_strconcat(edit->source, "\n", edit->graph, NULL);
  char *digest = g_compute_checksum_for_string(G_CHECKSUM_SHA256, text, -1);
  g_free(text);
  return digest;
}

/// Renders the photo without its painting, with 16 bits.
static gboolean edit_render(const Edit *edit, photoedit_pixels *pixels, GError **error) {
  photoedit_error failure;
  photoedit_image image;
  // Files that are neither JPEG nor PNG are decoded in a confined process, if it is installed.
  char *program = g_find_program_in_path("photoedit");
  if (program && photoedit_set_decoder(program, &failure)) photoedit_error_clear(&failure);
  g_free(program);
  if (photoedit_image_open(edit->source, NULL, &image, &failure))
    return library_failed(error, &failure);
  int32_t result = photoedit_image_render_pixels(
      image, edit->graph, edit->graph ? strlen(edit->graph) : 0,
      (const char *const *)edit->options->pdata, PHOTOEDIT_UINT16, 0, pixels, &failure);
  photoedit_image_free(image);
  return result == 0 || library_failed(error, &failure);
}

// MARK: Opening

/// A layer over the whole image, in which colors are mixed as photoedit mixes them.
static gint32 add_painting(gint32 image, gint32 layer) {
  gimp_item_set_name(layer, "Painting");
  gimp_layer_set_blend_space(layer, GIMP_LAYER_COLOR_SPACE_RGB_PERCEPTUAL);
  gimp_layer_set_composite_space(layer, GIMP_LAYER_COLOR_SPACE_RGB_PERCEPTUAL);
  gimp_image_insert_layer(image, layer, 0, 0);
  return layer;
}

static gint32 add_photo(gint32 image, const char *name, const photoedit_pixels *pixels) {
  gint width = (gint)pixels->width, height = (gint)pixels->height;
  gint32 layer =
      gimp_layer_new(image, name, width, height, GIMP_RGB_IMAGE, 100, GIMP_LAYER_MODE_NORMAL);
  gimp_image_insert_layer(image, layer, 0, 0);
  // A gray photo becomes one with colors when something is painted over it.
  const Babl *format = babl_format_with_space(
      pixels->channels == 1 ? "Y' u16" : "R'G'B' u16", gimp_drawable_get_format(layer));
  GeglBuffer *buffer = gimp_drawable_get_buffer(layer);
  gegl_buffer_set(
      buffer, GEGL_RECTANGLE(0, 0, width, height), 0, format, pixels->data, (gint)pixels->stride);
  g_object_unref(buffer);
  GimpParasite *mark = gimp_parasite_new(MARK, GIMP_PARASITE_PERSISTENT, 1, "");
  gimp_item_attach_parasite(layer, mark);
  gimp_parasite_free(mark);
  return layer;
}

static gboolean set_profile(gint32 image, const photoedit_pixels *pixels, GError **error) {
  if (!pixels->icc) return TRUE;
  GimpColorProfile *profile =
      gimp_color_profile_new_from_icc_profile(pixels->icc, pixels->icc_size, error);
  if (!profile) return FALSE;
  gboolean is_set = gimp_image_set_color_profile(image, profile);
  g_object_unref(profile);
  return is_set || failed(error, "GIMP cannot use the color profile of the photo.");
}

/// Names the photo and the state of its edit in the image.
static void set_mark(gint32 image, const Edit *edit) {
  char *digest = edit_digest(edit);
  char *text = g_strconcat(digest, " ", edit->photo, NULL);
  GimpParasite *mark =
      gimp_parasite_new(MARK, GIMP_PARASITE_PERSISTENT, (guint32)strlen(text) + 1, text);
  gimp_image_attach_parasite(image, mark);
  gimp_parasite_free(mark);
  g_free(text);
  g_free(digest);
}

static gint32 open_photo(const char *photo, GError **error) {
  Edit *edit = edit_read(photo, error);
  if (!edit) return -1;
  gint32 image = -1;
  photoedit_pixels pixels;
  if (edit_render(edit, &pixels, error)) {
    gint width = (gint)pixels.width, height = (gint)pixels.height;
    image = gimp_image_new_with_precision(width, height, GIMP_RGB, GIMP_PRECISION_U16_GAMMA);
    gimp_image_undo_disable(image);
    gboolean is_open = set_profile(image, &pixels, error);
    if (is_open) {
      char *name = g_path_get_basename(photo);
      add_photo(image, name, &pixels);
      g_free(name);
      gint32 painting = edit->painting
          ? gimp_file_load_layer(GIMP_RUN_NONINTERACTIVE, image, edit->painting)
          : gimp_layer_new(
                image, "", width, height, GIMP_RGBA_IMAGE, 100, GIMP_LAYER_MODE_NORMAL);
      is_open = painting != -1 || failed(error, "The painting of the edit cannot be read.");
      if (is_open) gimp_image_set_active_layer(image, add_painting(image, painting));
    }
    photoedit_pixels_clear(&pixels);
    if (is_open) {
      set_mark(image, edit);
      gimp_image_undo_enable(image);
      gimp_image_clean_all(image);
      if (edit->later)
        g_message(
            "Filters after the painting are not shown, but stay in the edit: %u.", edit->later);
    } else {
      gimp_image_delete(image);
      image = -1;
    }
  }
  edit_free(edit);
  return image;
}

// MARK: Saving

/// Chooses the pixel of the painting with which the photo looks as the image does, and returns
/// whether it hides the photo because no transparent one does.
static gboolean choose(
    const guint16 *photo, gsize channels, const guint16 *seen, const guint16 *painted,
    guint16 *result) {
  // Half a level of 8 bits.
  const gfloat tolerance = 128;
  gfloat share = painted[3] / 65535.0f, opacity = seen[3] / 65535.0f;
  gboolean is_same = TRUE;
  for (int channel = 0; channel < 3; channel++) {
    // What was erased to transparency shows the photo.
    gfloat under = photo[channels == 1 ? 0 : channel];
    gfloat goal = seen[channel] * opacity + under * (1 - opacity);
    gfloat mixed = painted[channel] * share + under * (1 - share);
    is_same = is_same && ABS(goal - mixed) <= tolerance;
    result[channel] = (guint16)(goal + 0.5f);
  }
  result[3] = 65535;
  if (!is_same) return TRUE;
  memcpy(result, painted, 4 * sizeof *result);
  if (!painted[3]) memset(result, 0, 4 * sizeof *result);
  return FALSE;
}

/// The visible pixels of an image, as a new layer of it.
static gint32 visible(gint32 image) {
  gint32 layer = gimp_layer_new_from_visible(image, image, "visible");
  if (!gimp_drawable_has_alpha(layer)) gimp_layer_add_alpha(layer);
  return layer;
}

/// Creates an image that contains only the painting: its pixels where they are all that differs
/// from the photo, and opaque ones elsewhere.
static gint32 extract(
    gint32 image, const photoedit_pixels *pixels, guint *painted, guint *hidden, GError **error) {
  gint width = (gint)pixels->width, height = (gint)pixels->height;
  gint32 copy = gimp_image_duplicate(image);
  gint32 result =
      gimp_image_new_with_precision(width, height, GIMP_RGB, GIMP_PRECISION_U16_GAMMA);
  if (!set_profile(result, pixels, error)) {
    gimp_image_delete(copy);
    gimp_image_delete(result);
    return -1;
  }
  gint32 layer = gimp_layer_new(
      result, PAINTING, width, height, GIMP_RGBA_IMAGE, 100, GIMP_LAYER_MODE_NORMAL);
  gimp_image_insert_layer(result, layer, 0, 0);
  // The user may have converted it.
  GimpColorProfile *profile = gimp_image_get_effective_color_profile(result);
  if (gimp_image_base_type(copy) != GIMP_RGB) gimp_image_convert_rgb(copy);
  gimp_image_convert_color_profile(
      copy, profile, GIMP_COLOR_RENDERING_INTENT_RELATIVE_COLORIMETRIC, TRUE);
  g_object_unref(profile);

  gint32 seen = visible(copy), over = -1;
  gint count;
  gint32 *layers = gimp_image_get_layers(copy, &count);
  for (gint index = 0; index < count; index++) {
    GimpParasite *mark = gimp_item_get_parasite(layers[index], MARK);
    if (!mark) continue;
    gimp_parasite_free(mark);
    gimp_image_remove_layer(copy, layers[index]);
    over = 0;
  }
  g_free(layers);
  // Without the photo's layer, what is painted cannot be separated from it.
  if (over == 0) over = visible(copy);

  const Babl *format = gimp_drawable_get_format(layer);
  const Babl *wide = babl_format_with_space("R'G'B'A u16", format);
  gsize samples = 4 * (gsize)width;
  guint16 *rows = g_new0(guint16, 3 * samples);
  GeglBuffer *from = gimp_drawable_get_buffer(seen), *to = gimp_drawable_get_buffer(layer);
  GeglBuffer *paint = over > 0 ? gimp_drawable_get_buffer(over) : NULL;
  *painted = *hidden = 0;
  for (gint y = 0; y < height; y++) {
    const GeglRectangle row = {0, y, width, 1};
    const guint16 *photo =
        (const guint16 *)((const char *)pixels->data + (gsize)y * pixels->stride);
    gegl_buffer_get(from, &row, 1, wide, rows, GEGL_AUTO_ROWSTRIDE, GEGL_ABYSS_NONE);
    if (paint)
      gegl_buffer_get(
          paint, &row, 1, wide, rows + samples, GEGL_AUTO_ROWSTRIDE, GEGL_ABYSS_NONE);
    for (gsize x = 0; x < (gsize)width; x++) {
      guint16 *chosen = rows + 2 * samples + 4 * x;
      *hidden += choose(
          photo + pixels->channels * x, pixels->channels, rows + 4 * x, rows + samples + 4 * x,
          chosen);
      *painted += chosen[3] != 0;
    }
    gegl_buffer_set(to, &row, 0, wide, rows + 2 * samples, GEGL_AUTO_ROWSTRIDE);
    if (y % 64 == 0) gimp_progress_update((gdouble)y / height);
  }
  g_object_unref(from);
  g_object_unref(to);
  if (paint) g_object_unref(paint);
  g_free(rows);
  gimp_image_delete(copy);
  return result;
}

/// Writes a PNG with 16 bits, or with 8 if it is too large for an edit.
static gboolean write_png(gint32 image, const char *path, GError **error) {
  for (int attempt = 0; attempt < 2; attempt++) {
    if (attempt) gimp_image_convert_precision(image, GIMP_PRECISION_U8_GAMMA);
    // Not with the user's settings, and without a date: the same painting is the same file.
    gint count;
    GimpParam *results = gimp_run_procedure(
        "file-png-save2", &count, GIMP_PDB_INT32, GIMP_RUN_NONINTERACTIVE, GIMP_PDB_IMAGE, image,
        GIMP_PDB_DRAWABLE, gimp_image_get_active_layer(image), GIMP_PDB_STRING, path,
        GIMP_PDB_STRING, path, /* interlace */ GIMP_PDB_INT32, 0,
        /* compression */ GIMP_PDB_INT32, 6, /* bKGD */ GIMP_PDB_INT32, 0,
        /* gAMA */ GIMP_PDB_INT32, 0, /* oFFs */ GIMP_PDB_INT32, 0, /* pHYs */ GIMP_PDB_INT32, 0,
        /* tIME */ GIMP_PDB_INT32, 0, /* comment */ GIMP_PDB_INT32, 0,
        /* transparent colors */ GIMP_PDB_INT32, 0, GIMP_PDB_END);
    gboolean is_written = results && results[0].data.d_status == GIMP_PDB_SUCCESS;
    gimp_destroy_params(results, count);
    if (!is_written) return failed(error, gimp_get_pdb_error());
    GStatBuf status;
    if (g_stat(path, &status) == 0 && status.st_size <= MAXIMUM_BYTES) return TRUE;
  }
  return failed(
      error,
      "Too much of the photo is painted: the file of an edit may have 16 MiB. Export it instead.");
}

static gboolean is_same_file(const char *one, const char *other) {
  char *contents[2] = {NULL, NULL};
  gsize sizes[2];
  gboolean is_same = g_file_get_contents(one, &contents[0], &sizes[0], NULL) &&
                     g_file_get_contents(other, &contents[1], &sizes[1], NULL) &&
                     sizes[0] == sizes[1] && !memcmp(contents[0], contents[1], sizes[0]);
  g_free(contents[0]);
  g_free(contents[1]);
  return is_same;
}

/// Saves the pixels of an image as the painting of an edit.
static gboolean store(const Edit *edit, gint32 image, guint painted, GError **error) {
  JsonNode *report = NULL;
  char *path = g_build_filename(edit->folder, PAINTING ".png", NULL);
  if (!painted) {
    if (edit->node)
      report = run_command(error, "adjust", "--remove", edit->node, "--", edit->photo, NULL);
    else
      failed(error, "Nothing is painted.");
  } else if (write_png(image, path, error)) {
    if (edit->painting && is_same_file(edit->painting, path)) {
      // A state without a change would be one more to undo.
      g_free(path);
      return TRUE;
    }
    char *words = edit->node
        ? g_strdup_printf("%s.file=%s", edit->node, path)
        : g_strdup_printf("overlay:anchor=topLeft,scale=1,margin=0,file=%s", path);
    report = run_command(
        error, edit->node ? "adjust" : "apply", edit->node ? "--set" : "--filter", words, "--",
        edit->photo, NULL);
    g_free(words);
  }
  g_free(path);
  if (report) json_node_unref(report);
  return report != NULL;
}

static gboolean save_with(Edit *edit, const char *digest, gint32 image, GError **error) {
  char *now = edit_digest(edit);
  gboolean is_same = !strcmp(now, digest);
  g_free(now);
  if (!is_same)
    return failed(
        error,
        "The edit was changed since the photo was opened. Open it again and drag the layer to it.");
  photoedit_pixels pixels;
  if (!edit_render(edit, &pixels, error)) return FALSE;
  gboolean is_saved = gimp_image_width(image) == (gint)pixels.width &&
                      gimp_image_height(image) == (gint)pixels.height;
  if (is_saved) {
    guint painted, hidden;
    gint32 painting = extract(image, &pixels, &painted, &hidden, error);
    is_saved = painting != -1 && store(edit, painting, painted, error);
    if (painting != -1) gimp_image_delete(painting);
    if (is_saved && hidden)
      g_message(
          "The photo itself was changed, or a layer mixes colors in another way than photoedit: %u "
          "pixels now hide the photo. Filters before the painting have no effect on them.",
          hidden);
  } else {
    failed(
        error, "The image has another size than the photo. Crop and scale photos with photoedit.");
  }
  photoedit_pixels_clear(&pixels);
  return is_saved;
}

static gboolean save(gint32 image, GError **error) {
  GimpParasite *mark = gimp_image_get_parasite(image, MARK);
  if (!mark) return failed(error, "Open the photo with File, Open with Its Edit first.");
  // The text ends with a zero byte, unless another program wrote it.
  char *text = g_strndup(gimp_parasite_data(mark), (gsize)gimp_parasite_data_size(mark));
  gimp_parasite_free(mark);
  char *photo = strchr(text, ' ');
  gboolean is_saved = FALSE;
  if (photo) {
    *photo++ = 0;
    Edit *edit = edit_read(photo, error);
    is_saved = edit && save_with(edit, text, image, error);
    edit_free(edit);
  } else {
    failed(error, "The image names no photo.");
  }
  if (is_saved) {
    // An edit that did not exist has one now.
    Edit *edit = edit_read(photo, NULL);
    if (edit) set_mark(image, edit);
    edit_free(edit);
    gimp_image_clean_all(image);
  }
  g_free(text);
  return is_saved;
}

// MARK: GIMP

static char *choose_photo(void) {
  gimp_ui_init(PLUG_IN, FALSE);
  GtkWidget *dialog = gtk_file_chooser_dialog_new(
      "Open with Its Edit", NULL, GTK_FILE_CHOOSER_ACTION_OPEN, "_Cancel", GTK_RESPONSE_CANCEL,
      "_Open", GTK_RESPONSE_OK, NULL);
  char *photo = gtk_dialog_run(GTK_DIALOG(dialog)) == GTK_RESPONSE_OK
      ? gtk_file_chooser_get_filename(GTK_FILE_CHOOSER(dialog))
      : NULL;
  gtk_widget_destroy(dialog);
  return photo;
}

static void query(void) {
  static const GimpParamDef open_parameters[] = {
      {GIMP_PDB_INT32, "run-mode", "Interactive or not"},
      {GIMP_PDB_STRING, "filename", "The photo"},
  };
  static const GimpParamDef open_results[] = {{GIMP_PDB_IMAGE, "image", "The photo with its edit"}};
  static const GimpParamDef save_parameters[] = {
      {GIMP_PDB_INT32, "run-mode", "Interactive or not"},
      {GIMP_PDB_IMAGE, "image", "An image that was opened with its edit"},
  };
  gimp_install_procedure(
      OPEN, "Opens a photo with its edit by photoedit",
      "The layer over the photo is for painting. The original is never changed.",
      "The authors of photoedit", "Apache-2.0", "2026", "Open with Its _Edit (photoedit)...", NULL,
      GIMP_PLUGIN, 2, 1, open_parameters, open_results);
  gimp_plugin_menu_register(OPEN, "<Image>/File/Open");
  gimp_install_procedure(
      SAVE, "Saves what was painted as a filter of the photo's edit",
      "The painting replaces the one that was saved before.", "The authors of photoedit",
      "Apache-2.0", "2026", "Save to Its E_dit (photoedit)", "*", GIMP_PLUGIN, 2, 0,
      save_parameters, NULL);
  gimp_plugin_menu_register(SAVE, "<Image>/File/Save");
}

static void run(
    const gchar *name, gint count, const GimpParam *parameters, gint *result_count,
    GimpParam **results) {
  static GimpParam values[2];
  static char *message;
  *result_count = 1;
  *results = values;
  values[0].type = GIMP_PDB_STATUS;
  values[0].data.d_status = GIMP_PDB_CALLING_ERROR;
  if (count < 2) return;
  gegl_init(NULL, NULL);
  gboolean is_interactive = parameters[0].data.d_int32 == GIMP_RUN_INTERACTIVE;
  GError *error = NULL;
  gboolean is_done = FALSE;
  if (!strcmp(name, OPEN)) {
    char *chosen = is_interactive ? choose_photo() : g_strdup(parameters[1].data.d_string);
    if (!chosen) {
      values[0].data.d_status = GIMP_PDB_CANCEL;
      return;
    }
    char *path = g_canonicalize_filename(chosen, NULL);
    gimp_progress_init("Rendering the photo");
    gint32 image = open_photo(path, &error);
    g_free(path);
    g_free(chosen);
    is_done = image != -1;
    if (is_done) {
      if (is_interactive) gimp_display_new(image);
      *result_count = 2;
      values[1].type = GIMP_PDB_IMAGE;
      values[1].data.d_image = image;
    }
  } else {
    gimp_progress_init("Saving to the edit");
    is_done = save(parameters[1].data.d_image, &error);
  }
  values[0].data.d_status = is_done ? GIMP_PDB_SUCCESS : GIMP_PDB_EXECUTION_ERROR;
  if (!is_done) {
    // GIMP shows it; the text must outlive this call.
    g_free(message);
    message = g_strdup(error ? error->message : "photoedit failed");
    *result_count = 2;
    values[1].type = GIMP_PDB_STRING;
    values[1].data.d_string = message;
  }
  g_clear_error(&error);
}

const GimpPlugInInfo PLUG_IN_INFO = {NULL, NULL, query, run};

MAIN()
