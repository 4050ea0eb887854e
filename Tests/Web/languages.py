#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The page in other languages: German, which is long, and letters from right to left.

Usage: languages.py [WORD...]   run the checks whose name contains a word (default: all)
"""

import contextlib
import os
import shutil
import sys

import axe
from accessibility import audited, unnamed
from adjusting import opened_sections
from browser import require
from harness import ROOT, Checks, equal, until
from library import Grid, identifiers, library
from scenarios import EXPOSURE, EditorPage

check = Checks()

WEB = ROOT / "Sources" / "PhotoEditServer" / "Web"
SIZES = ((1440, 900), (1024, 768), (390, 844), (320, 640))
NARROW = ((390, 844), (320, 640))

# Texts that leave the window, their button, or what clips them; names that people give may be cut.
OVERFLOW = """
const free = 'h1, h2, .subtitle, .collection-name, .look, .strip-cell, '
  + '.photo-cell, .tile, .visually-hidden, .search-field, .change, .stage-bar .loss, kbd, '
  + '.preset, option, select, .mono, .scrub-years, noscript';
const found = [];
const wide = document.documentElement.scrollWidth;
if (wide > innerWidth) found.push(`the page is ${wide} pixels wide`);
const scrolls = (element) => /auto|scroll/.test(getComputedStyle(element).overflowX);
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
for (let node = walker.nextNode(); node; node = walker.nextNode()) {
  const element = node.parentElement;
  if (!node.data.trim() || element.closest(free)
    || !element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
  const range = document.createRange();
  range.selectNodeContents(node);
  const text = range.getBoundingClientRect();
  if (!text.width) continue;
  const report = (what) => found.push(`${what}: ${node.data.trim().slice(0, 60)}`);
  const button = element.closest('button, summary, .segments span, .name');
  for (let item = element; item; item = item.parentElement) {
    const box = item.getBoundingClientRect();
    const isClip = getComputedStyle(item).overflowX !== 'visible';
    if ((isClip || item === button) && (text.left < box.left - 1 || text.right > box.right + 1)) {
      if (!scrolls(item) || item === button) report(`outside of ${item.className}`);
      break;
    }
    if (scrolls(item) && item.scrollWidth > item.clientWidth) break;
    if (item === document.body && (text.left < -1 || text.right > innerWidth + 1)) {
      report('outside of the window');
    }
  }
}
// The bar of a selection covers the bar.
const isCovered = (item) => !item.closest('.selection-bar')
  && item.closest('.bar')?.querySelector('.selection-bar:not([hidden])');
const boxes = [...document.querySelectorAll('.bar button, .stage-bar button, .actions button')]
  .filter((item) => item.checkVisibility() && !isCovered(item))
  .map((item) => [item, item.getBoundingClientRect()]);
for (const [item, box] of boxes) {
  const name = item.ariaLabel ?? item.textContent;
  if (box.left < -1 || box.right > innerWidth + 1) found.push(`button outside: ${name}`);
  for (const [other, next] of boxes) {
    if (other === item || other.parentElement !== item.parentElement) continue;
    const isOver = box.left < next.right - 1 && next.left < box.right - 1
      && box.top < next.bottom - 1 && next.top < box.bottom - 1;
    if (isOver) found.push(`buttons overlap: ${name}`);
  }
}
// The label below a symbol is no text of the document.
const canvas = document.createElement('canvas').getContext('2d');
for (const button of document.querySelectorAll('[data-label]')) {
  const style = getComputedStyle(button, '::after');
  if (!button.checkVisibility() || style.content === 'none' || isCovered(button)) continue;
  canvas.font = `${style.fontSize} ${style.fontFamily}`;
  if (canvas.measureText(button.dataset.label).width > button.clientWidth - 4) {
    found.push(`label without space around it: ${button.dataset.label}`);
  }
}
for (const panel of document.querySelectorAll('.side, .side *, .viewer-info, dialog .content')) {
  if (scrolls(panel) && panel.checkVisibility() && panel.scrollWidth > panel.clientWidth + 1
    && !panel.matches('.plan, table, .looks, .looks *')) {
    found.push(`scrolls sideways: ${panel.className}`);
  }
}
return [...new Set(found)];
"""

# Words that are divided where no hyphen is, because their place is too narrow.
BROKEN = """
const free = 'h1, h2, .subtitle, .mono, .change, .visually-hidden, noscript, option, .tile, .loss, kbd';
const found = [];
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
for (let node = walker.nextNode(); node; node = walker.nextNode()) {
  const element = node.parentElement;
  if (element.closest(free) || !element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
  for (const { 0: word, index } of node.data.matchAll(/[\\p{Script=Latin}\\p{Mark}]{3,}/gu)) {
    const range = document.createRange();
    range.setStart(node, index);
    range.setEnd(node, index + word.length);
    const tops = new Set([...range.getClientRects()].filter(({ width }) => width > 1).map(({ top }) => Math.round(top / 4)));
    if (tops.size > 1) found.push(`divided in ${element.className || element.tagName}: ${word}`);
  }
  // Scripts without spaces are divided anywhere, but not after each letter.
  const letters = node.data.match(/[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}]/gu)?.length ?? 0;
  const range = document.createRange();
  range.selectNodeContents(node);
  const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top / 4))).size;
  if (letters > 2 && lines > 2 && letters / lines < 3) found.push(`in ${lines} lines: ${node.data.trim()}`);
}
return [...new Set(found)];
"""

MIRRORED = """// SPDX-License-Identifier: Apache-2.0
const letters = 'ابتثجحخدذرزسشصضطظعغفقكلمنهوي';
const mirrored = (text) => text.replace(/\\{\\w+\\}|\\p{L}/gu, (part) =>
  (part.length > 1 ? part : letters[part.codePointAt(0) % letters.length]));
const map = (entries) => Object.fromEntries(Object.entries(entries).map(([key, value]) =>
  [key, typeof value === 'string' ? mirrored(value) : map(value)]));
export const made = map;
"""


@contextlib.contextmanager
def served(folder):
    """Lets servers that are started meanwhile serve the page from a folder."""
    before = os.environ.get("PHOTOEDIT_WEB_FOLDER")
    os.environ["PHOTOEDIT_WEB_FOLDER"] = str(folder)
    try:
        yield
    finally:
        del os.environ["PHOTOEDIT_WEB_FOLDER"]
        if before:
            os.environ["PHOTOEDIT_WEB_FOLDER"] = before


def mirrored(work):
    """A page with one more language: the German words in letters from right to left."""
    folder = work.path / "web"
    shutil.copytree(os.environ.get("PHOTOEDIT_WEB_FOLDER", WEB), folder)
    words = folder / "js" / "words"
    (words / "made.js").write_text(MIRRORED)
    (words / "ar").mkdir()
    for area in ("page", "dialogs", "editor", "names", "help"):
        name = area if area in ("names", "help") else "words"
        (words / "ar" / f"{area}.js").write_text(
            f"import {{ {name} as given }} from '../de/{area}.js';\n"
            f"import {{ made }} from '../made.js';\nexport const {name} = made(given);\n")
    languages = words / "languages.js"
    text = languages.read_text()
    line = "  { code: 'ar', name: 'العربية', direction: 'rtl' },\n];"
    languages.write_text(text.replace("];", line, 1))
    assert line in languages.read_text(), "the list of languages"
    return folder


def asking(tag):
    """The switch of a browser that asks for a language."""
    return [f"--accept-lang={tag}"]


def window(page, width, height):
    page.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
        "width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})
    page.run_async("requestAnimationFrame(() => requestAnimationFrame(arguments[0]))")


def fits(page, screen, sizes=SIZES):
    """Checks that no text of a screen is cut at any size of the window."""
    found = []
    for width, height in sizes:
        window(page, width, height)
        found += [f"{screen} {width}: {item}" for item in page.run(OVERFLOW)]
        found += [f"{screen} {width}: {item}" for item in page.run(BROKEN)]
    window(page, *SIZES[0])
    return found


def edited_library(work):
    path = library(work)
    for asset in identifiers(work, path):
        work.run("apply", "-L", path, "--filter", "sepia", "--filter", "exposure:ev=0.2", asset)
    return path


def tour(page, script, sizes=SIZES):
    """Goes through the screens of a library; returns what is cut, and what axe finds."""
    from selenium.webdriver.common.keys import Keys
    found, violations = [], []

    def look(screen):
        found.extend(fits(page, screen, sizes))
        if script:
            violations.extend(f"{screen}: {item}" for item in audited(page, script))
            violations.extend(f"{screen}: no name for {item}" for item in unnamed(page))

    def closed():
        page.keys(Keys.ESCAPE)
        until(lambda: not page.all("dialog[open]"), "closed")

    look("timeline")
    page.keys(Keys.HOME, " ")
    look("selection")
    page.keys("c")
    until(lambda: page.text("#messages"), "copied")
    page.keys("v")
    page.one("dialog[open] tbody tr")
    look("batch")
    closed()
    page.click('.selection-bar [aria-label]:has([data-symbol="export"])')
    page.click("dialog [value=copies] + span")
    look("export")
    closed()
    page.keys(Keys.ESCAPE)
    page.click('.bar [aria-label]:has([data-symbol="import"])')
    page.one("dialog[open]")
    look("import")
    closed()
    page.keys("?")
    page.one("dialog[open] kbd")
    look("keys")
    closed()
    page.run("document.activeElement.blur()")
    page.keys(Keys.HOME, Keys.ENTER)
    until(lambda: page.text(".viewer h1"), "viewer")
    page.keys("i")
    until(lambda: page.all(".viewer-info dl"), "information")
    look("viewer")
    page.keys("e")
    until(lambda: page.all(".adjust-section"), "editor")
    until(lambda: page.run("return document.querySelector('.editor').dataset.busy !== 'true'"), "")
    opened_sections(page)
    page.keys("l")
    look("editor")
    page.keys("l", "c")
    until(lambda: page.all(".crop-handle"), "crop")
    look("crop")
    page.keys(Keys.ESCAPE)
    page.keys("r")
    until(lambda: page.run("return document.activeElement.matches('.spot-next')"), "retouching")
    page.keys(Keys.ENTER)
    until(lambda: page.all(".spot-center"), "a spot")
    look("retouching")
    page.keys(Keys.ESCAPE)
    until(lambda: not page.all(".spot-board"), "the tool is closed")
    page.run("document.querySelector(`.tool[data-filter='mask.brush']`).click()")
    until(lambda: page.run("return document.activeElement.matches('.spot-next')"), "the brush")
    page.keys(Keys.SPACE)
    look("brush")
    page.keys(Keys.ESCAPE)
    until(lambda: not page.all(".spot-board"), "the brush is put away")
    for size in sizes:
        # Its place is that of the button when it is opened.
        window(page, *size)
        page.keys("/")
        page.one(".palette-option")
        found.extend(f"filters {size[0]}: {item}" for item in page.run(OVERFLOW))
        if script:
            violations.extend(f"filters: {item}" for item in audited(page, script))
        page.keys(Keys.ESCAPE)
        until(lambda: not page.all(":popover-open"), "the filters are closed")
    equal(page.errors(), [], "console errors")
    return found, violations


@check("the language is that of the browser, or the one that is chosen in the list of keys")
def _(work):
    photo = work.photo()
    with EditorPage(work, switches=asking("fr-CA,en")) as page:
        page.open(work.serve(photo).link)
        equal(page.run("return document.documentElement.lang"), "fr", "language")
        equal(page.text(".bar .actions .primary"), "Enregistrer", "the button Save")
        page.keys("?")
        until(lambda: "brouillon" in page.text("dialog[open] .language"), "it is marked as a draft")
        page.run("""const select = document.querySelector('#language');
          select.value = 'ja'; select.dispatchEvent(new Event('change'));""")
        until(lambda: page.text(".bar .actions .primary") == "保存", "Japanese")
        equal(page.run("return document.documentElement.lang"), "ja", "language")
        page.painted()
        page.keys("?")
        page.one("dialog[open] #language")
        equal(page.run("return document.querySelector('#language').value"), "ja", "the choice")
        page.run("""const select = document.querySelector('#language');
          select.value = ''; select.dispatchEvent(new Event('change'));""")
        until(lambda: page.text(".bar .actions .primary") == "Enregistrer", "French again")
        equal(page.errors(), [], "console errors")


# Texts, tooltips and names with three words in a row in Latin letters.
SENTENCES = """
const found = new Set();
const sentence = /[A-Za-z]{2,}[,;:]? [a-z]+[,;:]? [a-z]+/;
for (const element of document.querySelectorAll('body *')) {
  if (element.closest('noscript, h1')) continue;
  for (const name of ['title', 'aria-label', 'placeholder', 'aria-valuetext']) {
    found.add(element.getAttribute(name) ?? '');
  }
  for (const node of element.childNodes) if (node.nodeType === Node.TEXT_NODE) found.add(node.data);
}
return [...found].filter((text) => sentence.test(text));
"""


@check("the editor has no sentence in English in another language: sections, panels and the list of filters")
def _(work):
    from selenium.webdriver.common.keys import Keys
    photo = work.photo()
    for part in ("vignette:amount=0.3", "denoiseNLM:amount=0.2", "splitTone:balance=0.1"):
        work.run("apply", "--filter", part, photo)
    with EditorPage(work, width=1440, height=900, switches=asking("ja")) as page:
        page.open(work.serve(photo).link)
        opened_sections(page)
        page.run("for (const more of document.querySelectorAll('.panel details')) more.open = true;"
                 "for (const head of document.querySelectorAll('.panel .disclosure[aria-expanded=false]'))"
                 " head.click();")
        assert len(page.all(".panel")) >= 3, "the panels of the edit"
        equal(page.run(SENTENCES), [], "the editor")
        page.keys("/")
        page.one(".palette-option")
        equal(page.run(SENTENCES), [], "the list of filters")
        assert "ヒストグラムを均等化します。" in page.text(".popover"), "a description"
        page.keys(Keys.ESCAPE)
        equal(page.errors(), [], "console errors")


@check("the choices of a filter are whole in German and French")
def _(work):
    photo = work.photo()
    for part in ("edges:output=x", "blackWhite:mode=channels", "pad:mode=edge,top=9", "asccdl:style=noClamp"):
        work.run("apply", "--filter", part, photo)
    server = work.serve(photo)

    for code in ("de", "fr"):
        link = server.link if code == "de" else work.run("serve", "--link", photo).strip()
        with EditorPage(work, width=1440, height=900, switches=asking(code)) as page:
            page.open(link)
            page.run("for (const head of document.querySelectorAll('.panel .disclosure[aria-expanded=false]'))"
                     " head.click();"
                     "for (const more of document.querySelectorAll('.panel details')) more.open = true;")
            until(lambda: len(page.all(".panel .segments")) >= 3, "the choices")
            # Three of them are beside one another in the panel of a mask.
            page.run("""const labels = document.querySelector('.panel .segments');
              labels.append(...[...labels.children].map((label) => label.cloneNode(true)));""")
            equal(fits(page, code, ((1440, 900), (390, 844))), [], "cut")


@check("a mask of several masks fits into the panel in German and French, and axe finds nothing")
def _(work):
    script = axe.source()
    photo = work.photo()
    filters = ["mask.linear:id=a", "mask.radial:id=b", "mask.group:id=g,in=a:b,members=add/subtract:0.5", "sepia:mask=g"]
    work.run("apply", *(word for item in filters for word in ("--filter", item)), photo)
    server = work.serve(photo)
    for code in ("de", "fr"):
        link = server.link if code == "de" else work.run("serve", "--link", photo).strip()
        with EditorPage(work, width=1440, height=900, switches=asking(code)) as page:
            page.open(link)
            page.run("for (const head of document.querySelectorAll('.disclosure[aria-expanded=false]')) head.click()")
            section = ".adjust-section[data-section=Masks]"
            until(lambda: page.all(f"{section} .member") and page.all(f"{section} .tool[aria-haspopup]"), "members")
            equal(fits(page, code), [], "cut")
            equal(audited(page, script), [], "axe")
            equal(unnamed(page), [], "without a name")


@check("numbers are shown and typed with the decimal mark of the language")
def _(work):
    photo = work.photo()
    with EditorPage(work, switches=asking("de-DE")) as page:
        page.open(work.serve(photo).link)
        page.set("exposure", "ev", "0,75")
        equal(page.value("exposure", "ev"), 0.75, "a comma")
        page.run("document.activeElement.blur()")
        field = "return document.querySelector('[data-filter=exposure] input.number').value"
        equal(page.run(field), "+0,75", "the field")
        page.set("exposure", "ev", "0.5")
        equal(page.value("exposure", "ev"), 0.5, "a point")
        equal(page.text("[data-filter=exposure] label.name"), "Belichtung", "the name")
        page.click(".bar .primary")
        until(lambda: "1 Filter gespeichert" in page.text(".bar .subtitle"), "saved")
        until(lambda: page.all(".history-list .change"), "history")
        assert "Belichtung+0,50\u00a0EV" in page.text(".history-list"), page.text(".history-list")


@check("German fits into every screen at four sizes, and axe finds nothing")
def _(work):
    script = axe.source()
    path = edited_library(work)
    server = work.serve("--library", path, "--import-from", work.folder("card"))
    with Grid(work, width=1440, height=900, switches=asking("de-DE")) as page:
        page.open(server.link)
        found, violations = tour(page, script)
        equal(found, [], "cut")
        equal(violations, [], "axe")


def fits_narrow(code):
    @check(f"no text of {code} is cut or divided in a narrow window")
    def _(work):
        path = edited_library(work)
        server = work.serve("--library", path, "--import-from", work.folder("card"))
        with Grid(work, width=1440, height=900, switches=asking(code)) as page:
            page.open(server.link)
            found, _ = tour(page, None, NARROW)
            equal(found, [], "cut")


for language in ("de", "en", "es", "fr", "ja", "zh-Hans"):
    fits_narrow(language)


@check("lists of what has failed are in the language: without a login, and where a file is missing")
def _(work):
    from selenium.webdriver.common.keys import Keys
    path = library(work)
    server = work.serve("--library", path, "--export-to", work.folder("out"))
    with Grid(work, switches=asking("de")) as page:
        page.open(server.link)
        page.one(".tile[data-loaded]")
        page.keys(Keys.HOME)
        page.chord(Keys.CONTROL, "a")
        page.driver.execute_cdp_cmd("Network.clearBrowserCookies", {})
        page.keys("f")
        until(lambda: page.all("dialog.login"), "the login")
        until(lambda: page.all("dialog[open] td"), "the list")
        reasons = "return [...document.querySelectorAll('dialog[open] td')].map((cell) => cell.textContent)"
        equal(set(page.run(reasons)), {"Dieser Browser ist nicht angemeldet"}, "without a login")
        page.run("location.href = arguments[0]", work.run("serve", "--link").strip())
        until(lambda: not page.all("dialog.login"), "logged in again")
        page.click("dialog[open] [data-action=close]")
        found = []
        for step in range(3):
            if step == 2:
                for file in work.path.glob("out/*"):
                    file.unlink()
                for file in path.rglob("assets/**/*.jpg"):
                    file.unlink()
            page.one(".tile")
            page.keys(Keys.HOME)
            page.chord(Keys.CONTROL, "a")
            page.click('.selection-bar [aria-label]:has([data-symbol="export"])')
            page.click("dialog [data-action=export]")
            if step:
                until(lambda: page.all("dialog[open] td"), "the list", 60)
                found.append(set(page.run(reasons)))
                page.click("dialog[open] [data-action=close]")
            else:
                until(lambda: "4 exportiert" in page.text("#messages"), "exported", 60)
        equal(found, [{"Nicht möglich: Die Datei gibt es schon"}, {"Nicht mehr vorhanden"}],
              "files that exist, and photos that are missing")
        page.driver.get(server.origin + "/#/album/unknown")
        until(lambda: page.text(".notice h2") == "Diese Liste kann nicht angezeigt werden", "the list has no title")
        equal(page.text(".notice p"), "Nicht mehr vorhanden", "an album that is not there")
        equal(page.errors(), [], "console errors")


# The rows of the editor's bar, and what of it is cut, covered, or too small for a finger.
BAR = """
const bar = document.querySelector('.editor > .bar');
const parts = [...bar.querySelectorAll('.title, button, .caption')].filter((part) => part.checkVisibility());
const rows = new Set(parts.map((part) => {
  const { top, height } = part.getBoundingClientRect();
  return Math.round((top + height / 2) / 12);
}));
const found = [];
for (const part of [...parts, ...bar.querySelectorAll('h1, .subtitle')]) {
  const { left, right, width, height } = part.getBoundingClientRect();
  const name = `${part.ariaLabel ?? part.textContent}: ${[left, right, width, height].map(Math.round)}`;
  if (part.scrollWidth > part.clientWidth + 1) found.push(`cut: ${name}`);
  if (left < 0 || right > innerWidth) found.push(`outside: ${name}`);
  if (part.matches('button') && (width < 24 || height < 24)) found.push(`small: ${name}`);
  if (part.matches('.primary') && (width < 44 || height < 44)) found.push(`small: ${name}`);
}
return [rows.size, found];
"""


@check("on a phone, the bar of the editor has two rows in every language, with its menu for the rest")
def _(work):
    from hasty import PhoneEditor
    photo = work.photo()
    server = work.serve(photo)
    with PhoneEditor(work) as page:
        page.open(server.link)
        for code in ("de", "fr", "es", "ja", "zh-Hans", "en"):
            page.run("localStorage.setItem('photoedit.language', JSON.stringify(arguments[0]))", code)
            page.driver.get(server.origin + "/")
            page.painted()
            equal(page.run("return document.documentElement.lang"), code, "language")
            page.act(lambda: page.run("""const slider = document.querySelector(arguments[0]);
              slider.value = 1; slider.dispatchEvent(new Event('input')); slider.dispatchEvent(new Event('change'))""",
                                      EXPOSURE))
            until(lambda: page.all(".bar .subtitle .dot"), "an unsaved change")
            for size, most in (((360, 740), 2), ((390, 844), 2), ((412, 915), 2), ((844, 390), 1)):
                window(page, *size)
                rows, found = page.run(BAR)
                equal(found, [], f"{code} {size}")
                assert rows <= most, f"{code} {size}: {rows} rows"
            window(page, 390, 844)
            page.tap(".bar .narrow")
            discard = until(lambda: page.all(".menu button:has([data-symbol='close'])"), "the menu")
            equal(discard[0].text, page.text(".bar .actions [title]:not(.optional)"), "the way to discard it")
            discard[0].click()
            until(lambda: not page.all(".bar .subtitle .dot"), "discarded")
        equal(page.errors(), [], "console errors")


@check("a script from right to left fits as well, with photos and scales as they are")
def _(work):
    script = axe.source()
    path = edited_library(work)
    with served(mirrored(work)):
        server = work.serve("--library", path, "--import-from", work.folder("card"))
    with Grid(work, width=1440, height=900, switches=asking("ar")) as page:
        page.open(server.link)
        equal(page.run("return document.documentElement.dir"), "rtl", "direction")
        left = page.run("""return ['.sidebar', '.timeline-main'].map((part) =>
          document.querySelector(part).getBoundingClientRect().left)""")
        assert left[0] > left[1], f"the sidebar is on the left: {left}"
        found, violations = tour(page, script)
        equal(found, [], "cut")
        equal(violations, [], "axe")
        equal(page.run("return getComputedStyle(document.querySelector('.slider')).direction"),
              "ltr", "sliders")


if __name__ == "__main__":
    require()
    sys.exit(check.run(sys.argv[1:]))
