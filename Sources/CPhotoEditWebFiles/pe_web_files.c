// SPDX-License-Identifier: Apache-2.0
// Written by Tools/web-files; only the list is fixed, the contents are those of the folder.
#include "pe_web_files.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char file_0[] = {
#embed "../PhotoEditServer/Web/css/base.css" suffix(, )
    0};
static const unsigned char file_1[] = {
#embed "../PhotoEditServer/Web/css/direction.css" suffix(, )
    0};
static const unsigned char file_2[] = {
#embed "../PhotoEditServer/Web/css/editor.css" suffix(, )
    0};
static const unsigned char file_3[] = {
#embed "../PhotoEditServer/Web/css/filmstrip.css" suffix(, )
    0};
static const unsigned char file_4[] = {
#embed "../PhotoEditServer/Web/css/grid.css" suffix(, )
    0};
static const unsigned char file_5[] = {
#embed "../PhotoEditServer/Web/css/layout.css" suffix(, )
    0};
static const unsigned char file_6[] = {
#embed "../PhotoEditServer/Web/css/retouch.css" suffix(, )
    0};
static const unsigned char file_7[] = {
#embed "../PhotoEditServer/Web/css/tokens.css" suffix(, )
    0};
static const unsigned char file_8[] = {
#embed "../PhotoEditServer/Web/css/viewer.css" suffix(, )
    0};
static const unsigned char file_9[] = {
#embed "../PhotoEditServer/Web/icon.svg" suffix(, )
    0};
static const unsigned char file_10[] = {
#embed "../PhotoEditServer/Web/index.html" suffix(, )
    0};
static const unsigned char file_11[] = {
#embed "../PhotoEditServer/Web/js/api.js" suffix(, )
    0};
static const unsigned char file_12[] = {
#embed "../PhotoEditServer/Web/js/app.js" suffix(, )
    0};
static const unsigned char file_13[] = {
#embed "../PhotoEditServer/Web/js/applying.js" suffix(, )
    0};
static const unsigned char file_14[] = {
#embed "../PhotoEditServer/Web/js/batch.js" suffix(, )
    0};
static const unsigned char file_15[] = {
#embed "../PhotoEditServer/Web/js/batchDialog.js" suffix(, )
    0};
static const unsigned char file_16[] = {
#embed "../PhotoEditServer/Web/js/coordinates.js" suffix(, )
    0};
static const unsigned char file_17[] = {
#embed "../PhotoEditServer/Web/js/copied.js" suffix(, )
    0};
static const unsigned char file_18[] = {
#embed "../PhotoEditServer/Web/js/counted.js" suffix(, )
    0};
static const unsigned char file_19[] = {
#embed "../PhotoEditServer/Web/js/describeDialog.js" suffix(, )
    0};
static const unsigned char file_20[] = {
#embed "../PhotoEditServer/Web/js/dialogWords.js" suffix(, )
    0};
static const unsigned char file_21[] = {
#embed "../PhotoEditServer/Web/js/dialogs.js" suffix(, )
    0};
static const unsigned char file_22[] = {
#embed "../PhotoEditServer/Web/js/dom.js" suffix(, )
    0};
static const unsigned char file_23[] = {
#embed "../PhotoEditServer/Web/js/download.js" suffix(, )
    0};
static const unsigned char file_24[] = {
#embed "../PhotoEditServer/Web/js/editor/adjust.js" suffix(, )
    0};
static const unsigned char file_25[] = {
#embed "../PhotoEditServer/Web/js/editor/adjustTable.js" suffix(, )
    0};
static const unsigned char file_26[] = {
#embed "../PhotoEditServer/Web/js/editor/adjustment.js" suffix(, )
    0};
static const unsigned char file_27[] = {
#embed "../PhotoEditServer/Web/js/editor/brush.js" suffix(, )
    0};
static const unsigned char file_28[] = {
#embed "../PhotoEditServer/Web/js/editor/brushBar.js" suffix(, )
    0};
static const unsigned char file_29[] = {
#embed "../PhotoEditServer/Web/js/editor/brushMarks.js" suffix(, )
    0};
static const unsigned char file_30[] = {
#embed "../PhotoEditServer/Web/js/editor/brushTool.js" suffix(, )
    0};
static const unsigned char file_31[] = {
#embed "../PhotoEditServer/Web/js/editor/changeCount.js" suffix(, )
    0};
static const unsigned char file_32[] = {
#embed "../PhotoEditServer/Web/js/editor/changeText.js" suffix(, )
    0};
static const unsigned char file_33[] = {
#embed "../PhotoEditServer/Web/js/editor/choiceControls.js" suffix(, )
    0};
static const unsigned char file_34[] = {
#embed "../PhotoEditServer/Web/js/editor/compare.js" suffix(, )
    0};
static const unsigned char file_35[] = {
#embed "../PhotoEditServer/Web/js/editor/controls.js" suffix(, )
    0};
static const unsigned char file_36[] = {
#embed "../PhotoEditServer/Web/js/editor/coverage.js" suffix(, )
    0};
static const unsigned char file_37[] = {
#embed "../PhotoEditServer/Web/js/editor/crop.js" suffix(, )
    0};
static const unsigned char file_38[] = {
#embed "../PhotoEditServer/Web/js/editor/cropGeometry.js" suffix(, )
    0};
static const unsigned char file_39[] = {
#embed "../PhotoEditServer/Web/js/editor/cropRatio.js" suffix(, )
    0};
static const unsigned char file_40[] = {
#embed "../PhotoEditServer/Web/js/editor/curveControl.js" suffix(, )
    0};
static const unsigned char file_41[] = {
#embed "../PhotoEditServer/Web/js/editor/differences.js" suffix(, )
    0};
static const unsigned char file_42[] = {
#embed "../PhotoEditServer/Web/js/editor/draft.js" suffix(, )
    0};
static const unsigned char file_43[] = {
#embed "../PhotoEditServer/Web/js/editor/editor.js" suffix(, )
    0};
static const unsigned char file_44[] = {
#embed "../PhotoEditServer/Web/js/editor/editorKeys.js" suffix(, )
    0};
static const unsigned char file_45[] = {
#embed "../PhotoEditServer/Web/js/editor/filmstrip.js" suffix(, )
    0};
static const unsigned char file_46[] = {
#embed "../PhotoEditServer/Web/js/editor/grayPoint.js" suffix(, )
    0};
static const unsigned char file_47[] = {
#embed "../PhotoEditServer/Web/js/editor/handles.js" suffix(, )
    0};
static const unsigned char file_48[] = {
#embed "../PhotoEditServer/Web/js/editor/healSource.js" suffix(, )
    0};
static const unsigned char file_49[] = {
#embed "../PhotoEditServer/Web/js/editor/help.js" suffix(, )
    0};
static const unsigned char file_50[] = {
#embed "../PhotoEditServer/Web/js/editor/histogram.js" suffix(, )
    0};
static const unsigned char file_51[] = {
#embed "../PhotoEditServer/Web/js/editor/history.js" suffix(, )
    0};
static const unsigned char file_52[] = {
#embed "../PhotoEditServer/Web/js/editor/layout.js" suffix(, )
    0};
static const unsigned char file_53[] = {
#embed "../PhotoEditServer/Web/js/editor/lensSection.js" suffix(, )
    0};
static const unsigned char file_54[] = {
#embed "../PhotoEditServer/Web/js/editor/leveling.js" suffix(, )
    0};
static const unsigned char file_55[] = {
#embed "../PhotoEditServer/Web/js/editor/levels.js" suffix(, )
    0};
static const unsigned char file_56[] = {
#embed "../PhotoEditServer/Web/js/editor/localAdjustment.js" suffix(, )
    0};
static const unsigned char file_57[] = {
#embed "../PhotoEditServer/Web/js/editor/looks.js" suffix(, )
    0};
static const unsigned char file_58[] = {
#embed "../PhotoEditServer/Web/js/editor/mask.js" suffix(, )
    0};
static const unsigned char file_59[] = {
#embed "../PhotoEditServer/Web/js/editor/maskMembers.js" suffix(, )
    0};
static const unsigned char file_60[] = {
#embed "../PhotoEditServer/Web/js/editor/maskSection.js" suffix(, )
    0};
static const unsigned char file_61[] = {
#embed "../PhotoEditServer/Web/js/editor/membersControl.js" suffix(, )
    0};
static const unsigned char file_62[] = {
#embed "../PhotoEditServer/Web/js/editor/numberControl.js" suffix(, )
    0};
static const unsigned char file_63[] = {
#embed "../PhotoEditServer/Web/js/editor/palette.js" suffix(, )
    0};
static const unsigned char file_64[] = {
#embed "../PhotoEditServer/Web/js/editor/panel.js" suffix(, )
    0};
static const unsigned char file_65[] = {
#embed "../PhotoEditServer/Web/js/editor/panels.js" suffix(, )
    0};
static const unsigned char file_66[] = {
#embed "../PhotoEditServer/Web/js/editor/pasting.js" suffix(, )
    0};
static const unsigned char file_67[] = {
#embed "../PhotoEditServer/Web/js/editor/perspective.js" suffix(, )
    0};
static const unsigned char file_68[] = {
#embed "../PhotoEditServer/Web/js/editor/pipette.js" suffix(, )
    0};
static const unsigned char file_69[] = {
#embed "../PhotoEditServer/Web/js/editor/presets.js" suffix(, )
    0};
static const unsigned char file_70[] = {
#embed "../PhotoEditServer/Web/js/editor/projection.js" suffix(, )
    0};
static const unsigned char file_71[] = {
#embed "../PhotoEditServer/Web/js/editor/rendering.js" suffix(, )
    0};
static const unsigned char file_72[] = {
#embed "../PhotoEditServer/Web/js/editor/retouch.js" suffix(, )
    0};
static const unsigned char file_73[] = {
#embed "../PhotoEditServer/Web/js/editor/retouchBar.js" suffix(, )
    0};
static const unsigned char file_74[] = {
#embed "../PhotoEditServer/Web/js/editor/retouchMarks.js" suffix(, )
    0};
static const unsigned char file_75[] = {
#embed "../PhotoEditServer/Web/js/editor/retouchSearch.js" suffix(, )
    0};
static const unsigned char file_76[] = {
#embed "../PhotoEditServer/Web/js/editor/retouchSection.js" suffix(, )
    0};
static const unsigned char file_77[] = {
#embed "../PhotoEditServer/Web/js/editor/retouchWords.js" suffix(, )
    0};
static const unsigned char file_78[] = {
#embed "../PhotoEditServer/Web/js/editor/sampling.js" suffix(, )
    0};
static const unsigned char file_79[] = {
#embed "../PhotoEditServer/Web/js/editor/saving.js" suffix(, )
    0};
static const unsigned char file_80[] = {
#embed "../PhotoEditServer/Web/js/editor/scale.js" suffix(, )
    0};
static const unsigned char file_81[] = {
#embed "../PhotoEditServer/Web/js/editor/scheduler.js" suffix(, )
    0};
static const unsigned char file_82[] = {
#embed "../PhotoEditServer/Web/js/editor/schema.js" suffix(, )
    0};
static const unsigned char file_83[] = {
#embed "../PhotoEditServer/Web/js/editor/session.js" suffix(, )
    0};
static const unsigned char file_84[] = {
#embed "../PhotoEditServer/Web/js/editor/spline.js" suffix(, )
    0};
static const unsigned char file_85[] = {
#embed "../PhotoEditServer/Web/js/editor/spots.js" suffix(, )
    0};
static const unsigned char file_86[] = {
#embed "../PhotoEditServer/Web/js/editor/stage.js" suffix(, )
    0};
static const unsigned char file_87[] = {
#embed "../PhotoEditServer/Web/js/editor/stopsControl.js" suffix(, )
    0};
static const unsigned char file_88[] = {
#embed "../PhotoEditServer/Web/js/editor/strip.js" suffix(, )
    0};
static const unsigned char file_89[] = {
#embed "../PhotoEditServer/Web/js/editor/strokes.js" suffix(, )
    0};
static const unsigned char file_90[] = {
#embed "../PhotoEditServer/Web/js/editor/strokesControl.js" suffix(, )
    0};
static const unsigned char file_91[] = {
#embed "../PhotoEditServer/Web/js/editor/textControl.js" suffix(, )
    0};
static const unsigned char file_92[] = {
#embed "../PhotoEditServer/Web/js/editor/tools.js" suffix(, )
    0};
static const unsigned char file_93[] = {
#embed "../PhotoEditServer/Web/js/editor/vectorControl.js" suffix(, )
    0};
static const unsigned char file_94[] = {
#embed "../PhotoEditServer/Web/js/editor/wheel.js" suffix(, )
    0};
static const unsigned char file_95[] = {
#embed "../PhotoEditServer/Web/js/editor/wheelControl.js" suffix(, )
    0};
static const unsigned char file_96[] = {
#embed "../PhotoEditServer/Web/js/events.js" suffix(, )
    0};
static const unsigned char file_97[] = {
#embed "../PhotoEditServer/Web/js/exportDialog.js" suffix(, )
    0};
static const unsigned char file_98[] = {
#embed "../PhotoEditServer/Web/js/grid/aboutFolder.js" suffix(, )
    0};
static const unsigned char file_99[] = {
#embed "../PhotoEditServer/Web/js/grid/actions.js" suffix(, )
    0};
static const unsigned char file_100[] = {
#embed "../PhotoEditServer/Web/js/grid/changes.js" suffix(, )
    0};
static const unsigned char file_101[] = {
#embed "../PhotoEditServer/Web/js/grid/drag.js" suffix(, )
    0};
static const unsigned char file_102[] = {
#embed "../PhotoEditServer/Web/js/grid/dropping.js" suffix(, )
    0};
static const unsigned char file_103[] = {
#embed "../PhotoEditServer/Web/js/grid/emptyNotice.js" suffix(, )
    0};
static const unsigned char file_104[] = {
#embed "../PhotoEditServer/Web/js/grid/grid.js" suffix(, )
    0};
static const unsigned char file_105[] = {
#embed "../PhotoEditServer/Web/js/grid/gridKeys.js" suffix(, )
    0};
static const unsigned char file_106[] = {
#embed "../PhotoEditServer/Web/js/grid/images.js" suffix(, )
    0};
static const unsigned char file_107[] = {
#embed "../PhotoEditServer/Web/js/grid/lastShown.js" suffix(, )
    0};
static const unsigned char file_108[] = {
#embed "../PhotoEditServer/Web/js/grid/layout.js" suffix(, )
    0};
static const unsigned char file_109[] = {
#embed "../PhotoEditServer/Web/js/grid/list.js" suffix(, )
    0};
static const unsigned char file_110[] = {
#embed "../PhotoEditServer/Web/js/grid/live.js" suffix(, )
    0};
static const unsigned char file_111[] = {
#embed "../PhotoEditServer/Web/js/grid/livePreview.js" suffix(, )
    0};
static const unsigned char file_112[] = {
#embed "../PhotoEditServer/Web/js/grid/pinch.js" suffix(, )
    0};
static const unsigned char file_113[] = {
#embed "../PhotoEditServer/Web/js/grid/scroller.js" suffix(, )
    0};
static const unsigned char file_114[] = {
#embed "../PhotoEditServer/Web/js/grid/scrubber.js" suffix(, )
    0};
static const unsigned char file_115[] = {
#embed "../PhotoEditServer/Web/js/grid/selection.js" suffix(, )
    0};
static const unsigned char file_116[] = {
#embed "../PhotoEditServer/Web/js/grid/selectionBar.js" suffix(, )
    0};
static const unsigned char file_117[] = {
#embed "../PhotoEditServer/Web/js/grid/sidebar.js" suffix(, )
    0};
static const unsigned char file_118[] = {
#embed "../PhotoEditServer/Web/js/grid/tile.js" suffix(, )
    0};
static const unsigned char file_119[] = {
#embed "../PhotoEditServer/Web/js/grid/timeline.js" suffix(, )
    0};
static const unsigned char file_120[] = {
#embed "../PhotoEditServer/Web/js/import.js" suffix(, )
    0};
static const unsigned char file_121[] = {
#embed "../PhotoEditServer/Web/js/importDialog.js" suffix(, )
    0};
static const unsigned char file_122[] = {
#embed "../PhotoEditServer/Web/js/keyHelp.js" suffix(, )
    0};
static const unsigned char file_123[] = {
#embed "../PhotoEditServer/Web/js/keys.js" suffix(, )
    0};
static const unsigned char file_124[] = {
#embed "../PhotoEditServer/Web/js/language.js" suffix(, )
    0};
static const unsigned char file_125[] = {
#embed "../PhotoEditServer/Web/js/languageChoice.js" suffix(, )
    0};
static const unsigned char file_126[] = {
#embed "../PhotoEditServer/Web/js/later.js" suffix(, )
    0};
static const unsigned char file_127[] = {
#embed "../PhotoEditServer/Web/js/messages.js" suffix(, )
    0};
static const unsigned char file_128[] = {
#embed "../PhotoEditServer/Web/js/parts.js" suffix(, )
    0};
static const unsigned char file_129[] = {
#embed "../PhotoEditServer/Web/js/progress.js" suffix(, )
    0};
static const unsigned char file_130[] = {
#embed "../PhotoEditServer/Web/js/query.js" suffix(, )
    0};
static const unsigned char file_131[] = {
#embed "../PhotoEditServer/Web/js/results.js" suffix(, )
    0};
static const unsigned char file_132[] = {
#embed "../PhotoEditServer/Web/js/retry.js" suffix(, )
    0};
static const unsigned char file_133[] = {
#embed "../PhotoEditServer/Web/js/router.js" suffix(, )
    0};
static const unsigned char file_134[] = {
#embed "../PhotoEditServer/Web/js/search.js" suffix(, )
    0};
static const unsigned char file_135[] = {
#embed "../PhotoEditServer/Web/js/settings.js" suffix(, )
    0};
static const unsigned char file_136[] = {
#embed "../PhotoEditServer/Web/js/sliders.js" suffix(, )
    0};
static const unsigned char file_137[] = {
#embed "../PhotoEditServer/Web/js/styles.js" suffix(, )
    0};
static const unsigned char file_138[] = {
#embed "../PhotoEditServer/Web/js/types.js" suffix(, )
    0};
static const unsigned char file_139[] = {
#embed "../PhotoEditServer/Web/js/viewer/info.js" suffix(, )
    0};
static const unsigned char file_140[] = {
#embed "../PhotoEditServer/Web/js/viewer/login.js" suffix(, )
    0};
static const unsigned char file_141[] = {
#embed "../PhotoEditServer/Web/js/viewer/motion.js" suffix(, )
    0};
static const unsigned char file_142[] = {
#embed "../PhotoEditServer/Web/js/viewer/photoStage.js" suffix(, )
    0};
static const unsigned char file_143[] = {
#embed "../PhotoEditServer/Web/js/viewer/sideBySide.js" suffix(, )
    0};
static const unsigned char file_144[] = {
#embed "../PhotoEditServer/Web/js/viewer/swipe.js" suffix(, )
    0};
static const unsigned char file_145[] = {
#embed "../PhotoEditServer/Web/js/viewer/trashed.js" suffix(, )
    0};
static const unsigned char file_146[] = {
#embed "../PhotoEditServer/Web/js/viewer/videoEdit.js" suffix(, )
    0};
static const unsigned char file_147[] = {
#embed "../PhotoEditServer/Web/js/viewer/videoTools.js" suffix(, )
    0};
static const unsigned char file_148[] = {
#embed "../PhotoEditServer/Web/js/viewer/viewer.js" suffix(, )
    0};
static const unsigned char file_149[] = {
#embed "../PhotoEditServer/Web/js/viewer/viewerKeys.js" suffix(, )
    0};
static const unsigned char file_150[] = {
#embed "../PhotoEditServer/Web/js/words/de/dialogs.js" suffix(, )
    0};
static const unsigned char file_151[] = {
#embed "../PhotoEditServer/Web/js/words/de/editor.js" suffix(, )
    0};
static const unsigned char file_152[] = {
#embed "../PhotoEditServer/Web/js/words/de/help.js" suffix(, )
    0};
static const unsigned char file_153[] = {
#embed "../PhotoEditServer/Web/js/words/de/names.js" suffix(, )
    0};
static const unsigned char file_154[] = {
#embed "../PhotoEditServer/Web/js/words/de/page.js" suffix(, )
    0};
static const unsigned char file_155[] = {
#embed "../PhotoEditServer/Web/js/words/en/dialogs.js" suffix(, )
    0};
static const unsigned char file_156[] = {
#embed "../PhotoEditServer/Web/js/words/en/editor.js" suffix(, )
    0};
static const unsigned char file_157[] = {
#embed "../PhotoEditServer/Web/js/words/en/names.js" suffix(, )
    0};
static const unsigned char file_158[] = {
#embed "../PhotoEditServer/Web/js/words/en/page.js" suffix(, )
    0};
static const unsigned char file_159[] = {
#embed "../PhotoEditServer/Web/js/words/es/dialogs.js" suffix(, )
    0};
static const unsigned char file_160[] = {
#embed "../PhotoEditServer/Web/js/words/es/editor.js" suffix(, )
    0};
static const unsigned char file_161[] = {
#embed "../PhotoEditServer/Web/js/words/es/help.js" suffix(, )
    0};
static const unsigned char file_162[] = {
#embed "../PhotoEditServer/Web/js/words/es/names.js" suffix(, )
    0};
static const unsigned char file_163[] = {
#embed "../PhotoEditServer/Web/js/words/es/page.js" suffix(, )
    0};
static const unsigned char file_164[] = {
#embed "../PhotoEditServer/Web/js/words/fr/dialogs.js" suffix(, )
    0};
static const unsigned char file_165[] = {
#embed "../PhotoEditServer/Web/js/words/fr/editor.js" suffix(, )
    0};
static const unsigned char file_166[] = {
#embed "../PhotoEditServer/Web/js/words/fr/help.js" suffix(, )
    0};
static const unsigned char file_167[] = {
#embed "../PhotoEditServer/Web/js/words/fr/names.js" suffix(, )
    0};
static const unsigned char file_168[] = {
#embed "../PhotoEditServer/Web/js/words/fr/page.js" suffix(, )
    0};
static const unsigned char file_169[] = {
#embed "../PhotoEditServer/Web/js/words/ja/dialogs.js" suffix(, )
    0};
static const unsigned char file_170[] = {
#embed "../PhotoEditServer/Web/js/words/ja/editor.js" suffix(, )
    0};
static const unsigned char file_171[] = {
#embed "../PhotoEditServer/Web/js/words/ja/help.js" suffix(, )
    0};
static const unsigned char file_172[] = {
#embed "../PhotoEditServer/Web/js/words/ja/names.js" suffix(, )
    0};
static const unsigned char file_173[] = {
#embed "../PhotoEditServer/Web/js/words/ja/page.js" suffix(, )
    0};
static const unsigned char file_174[] = {
#embed "../PhotoEditServer/Web/js/words/languages.js" suffix(, )
    0};
static const unsigned char file_175[] = {
#embed "../PhotoEditServer/Web/js/words/zh-Hans/dialogs.js" suffix(, )
    0};
static const unsigned char file_176[] = {
#embed "../PhotoEditServer/Web/js/words/zh-Hans/editor.js" suffix(, )
    0};
static const unsigned char file_177[] = {
#embed "../PhotoEditServer/Web/js/words/zh-Hans/help.js" suffix(, )
    0};
static const unsigned char file_178[] = {
#embed "../PhotoEditServer/Web/js/words/zh-Hans/names.js" suffix(, )
    0};
static const unsigned char file_179[] = {
#embed "../PhotoEditServer/Web/js/words/zh-Hans/page.js" suffix(, )
    0};

static const pe_web_file files[] = {
    {"css/base.css", file_0, sizeof file_0 - 1},
    {"css/direction.css", file_1, sizeof file_1 - 1},
    {"css/editor.css", file_2, sizeof file_2 - 1},
    {"css/filmstrip.css", file_3, sizeof file_3 - 1},
    {"css/grid.css", file_4, sizeof file_4 - 1},
    {"css/layout.css", file_5, sizeof file_5 - 1},
    {"css/retouch.css", file_6, sizeof file_6 - 1},
    {"css/tokens.css", file_7, sizeof file_7 - 1},
    {"css/viewer.css", file_8, sizeof file_8 - 1},
    {"icon.svg", file_9, sizeof file_9 - 1},
    {"index.html", file_10, sizeof file_10 - 1},
    {"js/api.js", file_11, sizeof file_11 - 1},
    {"js/app.js", file_12, sizeof file_12 - 1},
    {"js/applying.js", file_13, sizeof file_13 - 1},
    {"js/batch.js", file_14, sizeof file_14 - 1},
    {"js/batchDialog.js", file_15, sizeof file_15 - 1},
    {"js/coordinates.js", file_16, sizeof file_16 - 1},
    {"js/copied.js", file_17, sizeof file_17 - 1},
    {"js/counted.js", file_18, sizeof file_18 - 1},
    {"js/describeDialog.js", file_19, sizeof file_19 - 1},
    {"js/dialogWords.js", file_20, sizeof file_20 - 1},
    {"js/dialogs.js", file_21, sizeof file_21 - 1},
    {"js/dom.js", file_22, sizeof file_22 - 1},
    {"js/download.js", file_23, sizeof file_23 - 1},
    {"js/editor/adjust.js", file_24, sizeof file_24 - 1},
    {"js/editor/adjustTable.js", file_25, sizeof file_25 - 1},
    {"js/editor/adjustment.js", file_26, sizeof file_26 - 1},
    {"js/editor/brush.js", file_27, sizeof file_27 - 1},
    {"js/editor/brushBar.js", file_28, sizeof file_28 - 1},
    {"js/editor/brushMarks.js", file_29, sizeof file_29 - 1},
    {"js/editor/brushTool.js", file_30, sizeof file_30 - 1},
    {"js/editor/changeCount.js", file_31, sizeof file_31 - 1},
    {"js/editor/changeText.js", file_32, sizeof file_32 - 1},
    {"js/editor/choiceControls.js", file_33, sizeof file_33 - 1},
    {"js/editor/compare.js", file_34, sizeof file_34 - 1},
    {"js/editor/controls.js", file_35, sizeof file_35 - 1},
    {"js/editor/coverage.js", file_36, sizeof file_36 - 1},
    {"js/editor/crop.js", file_37, sizeof file_37 - 1},
    {"js/editor/cropGeometry.js", file_38, sizeof file_38 - 1},
    {"js/editor/cropRatio.js", file_39, sizeof file_39 - 1},
    {"js/editor/curveControl.js", file_40, sizeof file_40 - 1},
    {"js/editor/differences.js", file_41, sizeof file_41 - 1},
    {"js/editor/draft.js", file_42, sizeof file_42 - 1},
    {"js/editor/editor.js", file_43, sizeof file_43 - 1},
    {"js/editor/editorKeys.js", file_44, sizeof file_44 - 1},
    {"js/editor/filmstrip.js", file_45, sizeof file_45 - 1},
    {"js/editor/grayPoint.js", file_46, sizeof file_46 - 1},
    {"js/editor/handles.js", file_47, sizeof file_47 - 1},
    {"js/editor/healSource.js", file_48, sizeof file_48 - 1},
    {"js/editor/help.js", file_49, sizeof file_49 - 1},
    {"js/editor/histogram.js", file_50, sizeof file_50 - 1},
    {"js/editor/history.js", file_51, sizeof file_51 - 1},
    {"js/editor/layout.js", file_52, sizeof file_52 - 1},
    {"js/editor/lensSection.js", file_53, sizeof file_53 - 1},
    {"js/editor/leveling.js", file_54, sizeof file_54 - 1},
    {"js/editor/levels.js", file_55, sizeof file_55 - 1},
    {"js/editor/localAdjustment.js", file_56, sizeof file_56 - 1},
    {"js/editor/looks.js", file_57, sizeof file_57 - 1},
    {"js/editor/mask.js", file_58, sizeof file_58 - 1},
    {"js/editor/maskMembers.js", file_59, sizeof file_59 - 1},
    {"js/editor/maskSection.js", file_60, sizeof file_60 - 1},
    {"js/editor/membersControl.js", file_61, sizeof file_61 - 1},
    {"js/editor/numberControl.js", file_62, sizeof file_62 - 1},
    {"js/editor/palette.js", file_63, sizeof file_63 - 1},
    {"js/editor/panel.js", file_64, sizeof file_64 - 1},
    {"js/editor/panels.js", file_65, sizeof file_65 - 1},
    {"js/editor/pasting.js", file_66, sizeof file_66 - 1},
    {"js/editor/perspective.js", file_67, sizeof file_67 - 1},
    {"js/editor/pipette.js", file_68, sizeof file_68 - 1},
    {"js/editor/presets.js", file_69, sizeof file_69 - 1},
    {"js/editor/projection.js", file_70, sizeof file_70 - 1},
    {"js/editor/rendering.js", file_71, sizeof file_71 - 1},
    {"js/editor/retouch.js", file_72, sizeof file_72 - 1},
    {"js/editor/retouchBar.js", file_73, sizeof file_73 - 1},
    {"js/editor/retouchMarks.js", file_74, sizeof file_74 - 1},
    {"js/editor/retouchSearch.js", file_75, sizeof file_75 - 1},
    {"js/editor/retouchSection.js", file_76, sizeof file_76 - 1},
    {"js/editor/retouchWords.js", file_77, sizeof file_77 - 1},
    {"js/editor/sampling.js", file_78, sizeof file_78 - 1},
    {"js/editor/saving.js", file_79, sizeof file_79 - 1},
    {"js/editor/scale.js", file_80, sizeof file_80 - 1},
    {"js/editor/scheduler.js", file_81, sizeof file_81 - 1},
    {"js/editor/schema.js", file_82, sizeof file_82 - 1},
    {"js/editor/session.js", file_83, sizeof file_83 - 1},
    {"js/editor/spline.js", file_84, sizeof file_84 - 1},
    {"js/editor/spots.js", file_85, sizeof file_85 - 1},
    {"js/editor/stage.js", file_86, sizeof file_86 - 1},
    {"js/editor/stopsControl.js", file_87, sizeof file_87 - 1},
    {"js/editor/strip.js", file_88, sizeof file_88 - 1},
    {"js/editor/strokes.js", file_89, sizeof file_89 - 1},
    {"js/editor/strokesControl.js", file_90, sizeof file_90 - 1},
    {"js/editor/textControl.js", file_91, sizeof file_91 - 1},
    {"js/editor/tools.js", file_92, sizeof file_92 - 1},
    {"js/editor/vectorControl.js", file_93, sizeof file_93 - 1},
    {"js/editor/wheel.js", file_94, sizeof file_94 - 1},
    {"js/editor/wheelControl.js", file_95, sizeof file_95 - 1},
    {"js/events.js", file_96, sizeof file_96 - 1},
    {"js/exportDialog.js", file_97, sizeof file_97 - 1},
    {"js/grid/aboutFolder.js", file_98, sizeof file_98 - 1},
    {"js/grid/actions.js", file_99, sizeof file_99 - 1},
    {"js/grid/changes.js", file_100, sizeof file_100 - 1},
    {"js/grid/drag.js", file_101, sizeof file_101 - 1},
    {"js/grid/dropping.js", file_102, sizeof file_102 - 1},
    {"js/grid/emptyNotice.js", file_103, sizeof file_103 - 1},
    {"js/grid/grid.js", file_104, sizeof file_104 - 1},
    {"js/grid/gridKeys.js", file_105, sizeof file_105 - 1},
    {"js/grid/images.js", file_106, sizeof file_106 - 1},
    {"js/grid/lastShown.js", file_107, sizeof file_107 - 1},
    {"js/grid/layout.js", file_108, sizeof file_108 - 1},
    {"js/grid/list.js", file_109, sizeof file_109 - 1},
    {"js/grid/live.js", file_110, sizeof file_110 - 1},
    {"js/grid/livePreview.js", file_111, sizeof file_111 - 1},
    {"js/grid/pinch.js", file_112, sizeof file_112 - 1},
    {"js/grid/scroller.js", file_113, sizeof file_113 - 1},
    {"js/grid/scrubber.js", file_114, sizeof file_114 - 1},
    {"js/grid/selection.js", file_115, sizeof file_115 - 1},
    {"js/grid/selectionBar.js", file_116, sizeof file_116 - 1},
    {"js/grid/sidebar.js", file_117, sizeof file_117 - 1},
    {"js/grid/tile.js", file_118, sizeof file_118 - 1},
    {"js/grid/timeline.js", file_119, sizeof file_119 - 1},
    {"js/import.js", file_120, sizeof file_120 - 1},
    {"js/importDialog.js", file_121, sizeof file_121 - 1},
    {"js/keyHelp.js", file_122, sizeof file_122 - 1},
    {"js/keys.js", file_123, sizeof file_123 - 1},
    {"js/language.js", file_124, sizeof file_124 - 1},
    {"js/languageChoice.js", file_125, sizeof file_125 - 1},
    {"js/later.js", file_126, sizeof file_126 - 1},
    {"js/messages.js", file_127, sizeof file_127 - 1},
    {"js/parts.js", file_128, sizeof file_128 - 1},
    {"js/progress.js", file_129, sizeof file_129 - 1},
    {"js/query.js", file_130, sizeof file_130 - 1},
    {"js/results.js", file_131, sizeof file_131 - 1},
    {"js/retry.js", file_132, sizeof file_132 - 1},
    {"js/router.js", file_133, sizeof file_133 - 1},
    {"js/search.js", file_134, sizeof file_134 - 1},
    {"js/settings.js", file_135, sizeof file_135 - 1},
    {"js/sliders.js", file_136, sizeof file_136 - 1},
    {"js/styles.js", file_137, sizeof file_137 - 1},
    {"js/types.js", file_138, sizeof file_138 - 1},
    {"js/viewer/info.js", file_139, sizeof file_139 - 1},
    {"js/viewer/login.js", file_140, sizeof file_140 - 1},
    {"js/viewer/motion.js", file_141, sizeof file_141 - 1},
    {"js/viewer/photoStage.js", file_142, sizeof file_142 - 1},
    {"js/viewer/sideBySide.js", file_143, sizeof file_143 - 1},
    {"js/viewer/swipe.js", file_144, sizeof file_144 - 1},
    {"js/viewer/trashed.js", file_145, sizeof file_145 - 1},
    {"js/viewer/videoEdit.js", file_146, sizeof file_146 - 1},
    {"js/viewer/videoTools.js", file_147, sizeof file_147 - 1},
    {"js/viewer/viewer.js", file_148, sizeof file_148 - 1},
    {"js/viewer/viewerKeys.js", file_149, sizeof file_149 - 1},
    {"js/words/de/dialogs.js", file_150, sizeof file_150 - 1},
    {"js/words/de/editor.js", file_151, sizeof file_151 - 1},
    {"js/words/de/help.js", file_152, sizeof file_152 - 1},
    {"js/words/de/names.js", file_153, sizeof file_153 - 1},
    {"js/words/de/page.js", file_154, sizeof file_154 - 1},
    {"js/words/en/dialogs.js", file_155, sizeof file_155 - 1},
    {"js/words/en/editor.js", file_156, sizeof file_156 - 1},
    {"js/words/en/names.js", file_157, sizeof file_157 - 1},
    {"js/words/en/page.js", file_158, sizeof file_158 - 1},
    {"js/words/es/dialogs.js", file_159, sizeof file_159 - 1},
    {"js/words/es/editor.js", file_160, sizeof file_160 - 1},
    {"js/words/es/help.js", file_161, sizeof file_161 - 1},
    {"js/words/es/names.js", file_162, sizeof file_162 - 1},
    {"js/words/es/page.js", file_163, sizeof file_163 - 1},
    {"js/words/fr/dialogs.js", file_164, sizeof file_164 - 1},
    {"js/words/fr/editor.js", file_165, sizeof file_165 - 1},
    {"js/words/fr/help.js", file_166, sizeof file_166 - 1},
    {"js/words/fr/names.js", file_167, sizeof file_167 - 1},
    {"js/words/fr/page.js", file_168, sizeof file_168 - 1},
    {"js/words/ja/dialogs.js", file_169, sizeof file_169 - 1},
    {"js/words/ja/editor.js", file_170, sizeof file_170 - 1},
    {"js/words/ja/help.js", file_171, sizeof file_171 - 1},
    {"js/words/ja/names.js", file_172, sizeof file_172 - 1},
    {"js/words/ja/page.js", file_173, sizeof file_173 - 1},
    {"js/words/languages.js", file_174, sizeof file_174 - 1},
    {"js/words/zh-Hans/dialogs.js", file_175, sizeof file_175 - 1},
    {"js/words/zh-Hans/editor.js", file_176, sizeof file_176 - 1},
    {"js/words/zh-Hans/help.js", file_177, sizeof file_177 - 1},
    {"js/words/zh-Hans/names.js", file_178, sizeof file_178 - 1},
    {"js/words/zh-Hans/page.js", file_179, sizeof file_179 - 1},
};

const pe_web_file *pe_web_file_at(size_t index) {
  return index < sizeof files / sizeof *files ? &files[index] : NULL;
}
