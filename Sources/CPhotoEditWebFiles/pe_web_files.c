// SPDX-License-Identifier: Apache-2.0
// Written by Tools/web-files; only the list is fixed, the contents are those of the folder.
#include "pe_web_files.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char file_0[] = {
#embed "../PhotoEditServer/Web/css/base.css" suffix(, )
    0};
static const unsigned char file_1[] = {
#embed "../PhotoEditServer/Web/css/editor.css" suffix(, )
    0};
static const unsigned char file_2[] = {
#embed "../PhotoEditServer/Web/css/grid.css" suffix(, )
    0};
static const unsigned char file_3[] = {
#embed "../PhotoEditServer/Web/css/layout.css" suffix(, )
    0};
static const unsigned char file_4[] = {
#embed "../PhotoEditServer/Web/css/tokens.css" suffix(, )
    0};
static const unsigned char file_5[] = {
#embed "../PhotoEditServer/Web/css/viewer.css" suffix(, )
    0};
static const unsigned char file_6[] = {
#embed "../PhotoEditServer/Web/icon.svg" suffix(, )
    0};
static const unsigned char file_7[] = {
#embed "../PhotoEditServer/Web/index.html" suffix(, )
    0};
static const unsigned char file_8[] = {
#embed "../PhotoEditServer/Web/js/api.js" suffix(, )
    0};
static const unsigned char file_9[] = {
#embed "../PhotoEditServer/Web/js/app.js" suffix(, )
    0};
static const unsigned char file_10[] = {
#embed "../PhotoEditServer/Web/js/applying.js" suffix(, )
    0};
static const unsigned char file_11[] = {
#embed "../PhotoEditServer/Web/js/batch.js" suffix(, )
    0};
static const unsigned char file_12[] = {
#embed "../PhotoEditServer/Web/js/batchDialog.js" suffix(, )
    0};
static const unsigned char file_13[] = {
#embed "../PhotoEditServer/Web/js/dialogs.js" suffix(, )
    0};
static const unsigned char file_14[] = {
#embed "../PhotoEditServer/Web/js/dom.js" suffix(, )
    0};
static const unsigned char file_15[] = {
#embed "../PhotoEditServer/Web/js/editor/choiceControls.js" suffix(, )
    0};
static const unsigned char file_16[] = {
#embed "../PhotoEditServer/Web/js/editor/compare.js" suffix(, )
    0};
static const unsigned char file_17[] = {
#embed "../PhotoEditServer/Web/js/editor/controls.js" suffix(, )
    0};
static const unsigned char file_18[] = {
#embed "../PhotoEditServer/Web/js/editor/crop.js" suffix(, )
    0};
static const unsigned char file_19[] = {
#embed "../PhotoEditServer/Web/js/editor/curveControl.js" suffix(, )
    0};
static const unsigned char file_20[] = {
#embed "../PhotoEditServer/Web/js/editor/differences.js" suffix(, )
    0};
static const unsigned char file_21[] = {
#embed "../PhotoEditServer/Web/js/editor/draft.js" suffix(, )
    0};
static const unsigned char file_22[] = {
#embed "../PhotoEditServer/Web/js/editor/editor.js" suffix(, )
    0};
static const unsigned char file_23[] = {
#embed "../PhotoEditServer/Web/js/editor/editorKeys.js" suffix(, )
    0};
static const unsigned char file_24[] = {
#embed "../PhotoEditServer/Web/js/editor/handles.js" suffix(, )
    0};
static const unsigned char file_25[] = {
#embed "../PhotoEditServer/Web/js/editor/histogram.js" suffix(, )
    0};
static const unsigned char file_26[] = {
#embed "../PhotoEditServer/Web/js/editor/history.js" suffix(, )
    0};
static const unsigned char file_27[] = {
#embed "../PhotoEditServer/Web/js/editor/layout.js" suffix(, )
    0};
static const unsigned char file_28[] = {
#embed "../PhotoEditServer/Web/js/editor/mask.js" suffix(, )
    0};
static const unsigned char file_29[] = {
#embed "../PhotoEditServer/Web/js/editor/numberControl.js" suffix(, )
    0};
static const unsigned char file_30[] = {
#embed "../PhotoEditServer/Web/js/editor/palette.js" suffix(, )
    0};
static const unsigned char file_31[] = {
#embed "../PhotoEditServer/Web/js/editor/panel.js" suffix(, )
    0};
static const unsigned char file_32[] = {
#embed "../PhotoEditServer/Web/js/editor/panels.js" suffix(, )
    0};
static const unsigned char file_33[] = {
#embed "../PhotoEditServer/Web/js/editor/perspective.js" suffix(, )
    0};
static const unsigned char file_34[] = {
#embed "../PhotoEditServer/Web/js/editor/presets.js" suffix(, )
    0};
static const unsigned char file_35[] = {
#embed "../PhotoEditServer/Web/js/editor/rendering.js" suffix(, )
    0};
static const unsigned char file_36[] = {
#embed "../PhotoEditServer/Web/js/editor/saving.js" suffix(, )
    0};
static const unsigned char file_37[] = {
#embed "../PhotoEditServer/Web/js/editor/scheduler.js" suffix(, )
    0};
static const unsigned char file_38[] = {
#embed "../PhotoEditServer/Web/js/editor/schema.js" suffix(, )
    0};
static const unsigned char file_39[] = {
#embed "../PhotoEditServer/Web/js/editor/session.js" suffix(, )
    0};
static const unsigned char file_40[] = {
#embed "../PhotoEditServer/Web/js/editor/stage.js" suffix(, )
    0};
static const unsigned char file_41[] = {
#embed "../PhotoEditServer/Web/js/editor/stopsControl.js" suffix(, )
    0};
static const unsigned char file_42[] = {
#embed "../PhotoEditServer/Web/js/editor/straighten.js" suffix(, )
    0};
static const unsigned char file_43[] = {
#embed "../PhotoEditServer/Web/js/editor/tools.js" suffix(, )
    0};
static const unsigned char file_44[] = {
#embed "../PhotoEditServer/Web/js/editor/vectorControl.js" suffix(, )
    0};
static const unsigned char file_45[] = {
#embed "../PhotoEditServer/Web/js/events.js" suffix(, )
    0};
static const unsigned char file_46[] = {
#embed "../PhotoEditServer/Web/js/exportDialog.js" suffix(, )
    0};
static const unsigned char file_47[] = {
#embed "../PhotoEditServer/Web/js/grid/actions.js" suffix(, )
    0};
static const unsigned char file_48[] = {
#embed "../PhotoEditServer/Web/js/grid/drag.js" suffix(, )
    0};
static const unsigned char file_49[] = {
#embed "../PhotoEditServer/Web/js/grid/grid.js" suffix(, )
    0};
static const unsigned char file_50[] = {
#embed "../PhotoEditServer/Web/js/grid/gridKeys.js" suffix(, )
    0};
static const unsigned char file_51[] = {
#embed "../PhotoEditServer/Web/js/grid/images.js" suffix(, )
    0};
static const unsigned char file_52[] = {
#embed "../PhotoEditServer/Web/js/grid/layout.js" suffix(, )
    0};
static const unsigned char file_53[] = {
#embed "../PhotoEditServer/Web/js/grid/list.js" suffix(, )
    0};
static const unsigned char file_54[] = {
#embed "../PhotoEditServer/Web/js/grid/live.js" suffix(, )
    0};
static const unsigned char file_55[] = {
#embed "../PhotoEditServer/Web/js/grid/livePreview.js" suffix(, )
    0};
static const unsigned char file_56[] = {
#embed "../PhotoEditServer/Web/js/grid/scroller.js" suffix(, )
    0};
static const unsigned char file_57[] = {
#embed "../PhotoEditServer/Web/js/grid/scrubber.js" suffix(, )
    0};
static const unsigned char file_58[] = {
#embed "../PhotoEditServer/Web/js/grid/selection.js" suffix(, )
    0};
static const unsigned char file_59[] = {
#embed "../PhotoEditServer/Web/js/grid/sidebar.js" suffix(, )
    0};
static const unsigned char file_60[] = {
#embed "../PhotoEditServer/Web/js/grid/tile.js" suffix(, )
    0};
static const unsigned char file_61[] = {
#embed "../PhotoEditServer/Web/js/grid/timeline.js" suffix(, )
    0};
static const unsigned char file_62[] = {
#embed "../PhotoEditServer/Web/js/import.js" suffix(, )
    0};
static const unsigned char file_63[] = {
#embed "../PhotoEditServer/Web/js/importDialog.js" suffix(, )
    0};
static const unsigned char file_64[] = {
#embed "../PhotoEditServer/Web/js/keys.js" suffix(, )
    0};
static const unsigned char file_65[] = {
#embed "../PhotoEditServer/Web/js/messages.js" suffix(, )
    0};
static const unsigned char file_66[] = {
#embed "../PhotoEditServer/Web/js/progress.js" suffix(, )
    0};
static const unsigned char file_67[] = {
#embed "../PhotoEditServer/Web/js/router.js" suffix(, )
    0};
static const unsigned char file_68[] = {
#embed "../PhotoEditServer/Web/js/search.js" suffix(, )
    0};
static const unsigned char file_69[] = {
#embed "../PhotoEditServer/Web/js/settings.js" suffix(, )
    0};
static const unsigned char file_70[] = {
#embed "../PhotoEditServer/Web/js/types.js" suffix(, )
    0};
static const unsigned char file_71[] = {
#embed "../PhotoEditServer/Web/js/viewer/info.js" suffix(, )
    0};
static const unsigned char file_72[] = {
#embed "../PhotoEditServer/Web/js/viewer/motion.js" suffix(, )
    0};
static const unsigned char file_73[] = {
#embed "../PhotoEditServer/Web/js/viewer/photoStage.js" suffix(, )
    0};
static const unsigned char file_74[] = {
#embed "../PhotoEditServer/Web/js/viewer/sideBySide.js" suffix(, )
    0};
static const unsigned char file_75[] = {
#embed "../PhotoEditServer/Web/js/viewer/viewer.js" suffix(, )
    0};

static const pe_web_file files[] = {
    {"css/base.css", file_0, sizeof file_0 - 1},
    {"css/editor.css", file_1, sizeof file_1 - 1},
    {"css/grid.css", file_2, sizeof file_2 - 1},
    {"css/layout.css", file_3, sizeof file_3 - 1},
    {"css/tokens.css", file_4, sizeof file_4 - 1},
    {"css/viewer.css", file_5, sizeof file_5 - 1},
    {"icon.svg", file_6, sizeof file_6 - 1},
    {"index.html", file_7, sizeof file_7 - 1},
    {"js/api.js", file_8, sizeof file_8 - 1},
    {"js/app.js", file_9, sizeof file_9 - 1},
    {"js/applying.js", file_10, sizeof file_10 - 1},
    {"js/batch.js", file_11, sizeof file_11 - 1},
    {"js/batchDialog.js", file_12, sizeof file_12 - 1},
    {"js/dialogs.js", file_13, sizeof file_13 - 1},
    {"js/dom.js", file_14, sizeof file_14 - 1},
    {"js/editor/choiceControls.js", file_15, sizeof file_15 - 1},
    {"js/editor/compare.js", file_16, sizeof file_16 - 1},
    {"js/editor/controls.js", file_17, sizeof file_17 - 1},
    {"js/editor/crop.js", file_18, sizeof file_18 - 1},
    {"js/editor/curveControl.js", file_19, sizeof file_19 - 1},
    {"js/editor/differences.js", file_20, sizeof file_20 - 1},
    {"js/editor/draft.js", file_21, sizeof file_21 - 1},
    {"js/editor/editor.js", file_22, sizeof file_22 - 1},
    {"js/editor/editorKeys.js", file_23, sizeof file_23 - 1},
    {"js/editor/handles.js", file_24, sizeof file_24 - 1},
    {"js/editor/histogram.js", file_25, sizeof file_25 - 1},
    {"js/editor/history.js", file_26, sizeof file_26 - 1},
    {"js/editor/layout.js", file_27, sizeof file_27 - 1},
    {"js/editor/mask.js", file_28, sizeof file_28 - 1},
    {"js/editor/numberControl.js", file_29, sizeof file_29 - 1},
    {"js/editor/palette.js", file_30, sizeof file_30 - 1},
    {"js/editor/panel.js", file_31, sizeof file_31 - 1},
    {"js/editor/panels.js", file_32, sizeof file_32 - 1},
    {"js/editor/perspective.js", file_33, sizeof file_33 - 1},
    {"js/editor/presets.js", file_34, sizeof file_34 - 1},
    {"js/editor/rendering.js", file_35, sizeof file_35 - 1},
    {"js/editor/saving.js", file_36, sizeof file_36 - 1},
    {"js/editor/scheduler.js", file_37, sizeof file_37 - 1},
    {"js/editor/schema.js", file_38, sizeof file_38 - 1},
    {"js/editor/session.js", file_39, sizeof file_39 - 1},
    {"js/editor/stage.js", file_40, sizeof file_40 - 1},
    {"js/editor/stopsControl.js", file_41, sizeof file_41 - 1},
    {"js/editor/straighten.js", file_42, sizeof file_42 - 1},
    {"js/editor/tools.js", file_43, sizeof file_43 - 1},
    {"js/editor/vectorControl.js", file_44, sizeof file_44 - 1},
    {"js/events.js", file_45, sizeof file_45 - 1},
    {"js/exportDialog.js", file_46, sizeof file_46 - 1},
    {"js/grid/actions.js", file_47, sizeof file_47 - 1},
    {"js/grid/drag.js", file_48, sizeof file_48 - 1},
    {"js/grid/grid.js", file_49, sizeof file_49 - 1},
    {"js/grid/gridKeys.js", file_50, sizeof file_50 - 1},
    {"js/grid/images.js", file_51, sizeof file_51 - 1},
    {"js/grid/layout.js", file_52, sizeof file_52 - 1},
    {"js/grid/list.js", file_53, sizeof file_53 - 1},
    {"js/grid/live.js", file_54, sizeof file_54 - 1},
    {"js/grid/livePreview.js", file_55, sizeof file_55 - 1},
    {"js/grid/scroller.js", file_56, sizeof file_56 - 1},
    {"js/grid/scrubber.js", file_57, sizeof file_57 - 1},
    {"js/grid/selection.js", file_58, sizeof file_58 - 1},
    {"js/grid/sidebar.js", file_59, sizeof file_59 - 1},
    {"js/grid/tile.js", file_60, sizeof file_60 - 1},
    {"js/grid/timeline.js", file_61, sizeof file_61 - 1},
    {"js/import.js", file_62, sizeof file_62 - 1},
    {"js/importDialog.js", file_63, sizeof file_63 - 1},
    {"js/keys.js", file_64, sizeof file_64 - 1},
    {"js/messages.js", file_65, sizeof file_65 - 1},
    {"js/progress.js", file_66, sizeof file_66 - 1},
    {"js/router.js", file_67, sizeof file_67 - 1},
    {"js/search.js", file_68, sizeof file_68 - 1},
    {"js/settings.js", file_69, sizeof file_69 - 1},
    {"js/types.js", file_70, sizeof file_70 - 1},
    {"js/viewer/info.js", file_71, sizeof file_71 - 1},
    {"js/viewer/motion.js", file_72, sizeof file_72 - 1},
    {"js/viewer/photoStage.js", file_73, sizeof file_73 - 1},
    {"js/viewer/sideBySide.js", file_74, sizeof file_74 - 1},
    {"js/viewer/viewer.js", file_75, sizeof file_75 - 1},
};

const pe_web_file *pe_web_file_at(size_t index) {
  return index < sizeof files / sizeof *files ? &files[index] : NULL;
}
