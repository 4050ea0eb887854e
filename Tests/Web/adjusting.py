#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The Adjust panel of the editor and the tools on the photo.

Usage: adjusting.py [WORD...]   run the scenarios whose name contains a word (default: all)
"""

import json
import sys

from browser import require
from harness import Checks, equal, until
from scenarios import EditorPage, stored

scenario = Checks()

# Where the rows of the Adjust panel are in it, and how far it is scrolled.
POSITIONS = """const panel = document.querySelector('.panels');
  const rows = panel.querySelectorAll('.adjust [data-parameter], .adjust h3, .adjust .tool');
  return [panel.scrollTop, ...[...rows].map((row) => Math.round(row.getBoundingClientRect().top))]"""


def touched(page):
    """The rows that are lit up, with their sections."""
    return page.run("""return [...document.querySelectorAll('.adjust .control[data-changed=true]')].map(
      (row) => `${row.dataset.filter}.${row.dataset.parameter}`)
      .concat([...document.querySelectorAll('.adjust-section[data-changed=true]')]
        .map((section) => section.dataset.section))""")


def opened_sections(page):
    page.run("for (const button of document.querySelectorAll('.adjust [aria-expanded=false]')) button.click()")
    page.run("for (const fold of document.querySelectorAll('details.fold')) fold.open = true")


@scenario("the Adjust panel never moves, and lights up what was touched; a double click puts it back")
def _(work):
    from selenium.webdriver.common.action_chains import ActionChains
    photo = work.photo()
    server = work.serve(photo)
    with EditorPage(work, width=1440, height=1000) as page:
        page.open(server.link)
        opened_sections(page)
        for row in ("shadowsHighlights.shadows", "saturate.amount", "vignette.amount"):
            slider = "[data-filter={}] input.slider[data-key={}]".format(*row.split("."))
            page.run("document.querySelector(arguments[0]).scrollIntoView({block: 'center'})", slider)
            before = page.run(POSITIONS)
            page.act(lambda: page.drag(slider, 30))
            page.run_async("setTimeout(arguments[0], 300)")
            equal(page.run(POSITIONS), before, f"places after {row}")
            equal(touched(page)[0], row, "lit up")
            page.act(lambda: ActionChains(page.driver).double_click(page.one(slider)).perform())
            equal(touched(page), [], "lit up after the double click")
            equal(page.run("return document.querySelector('.panel-list').childElementCount"), 0,
                  "filters in the list")
            equal(page.text(".bar .subtitle"), "Not edited", "the state")
        equal(page.errors(), [], "console errors")


@scenario("each slider of the Adjust panel changes the photo by its filter, and back")
def _(work):
    server = work.serve(work.photo("photo-landscape.jpg"))
    with EditorPage(work, width=1440, height=1000) as page:
        page.open(server.link)
        opened_sections(page)
        problems = page.run_async(MOVE_ROWS)
        equal(problems, [], "rows")
        equal(page.errors(), [], "console errors")


# Returns the sliders that do not show 0, as a text, for screen readers and by position.
RESTS = """return [...document.querySelectorAll('.adjust .control:has(.slider)')].flatMap((row) => {
  const [slider, field] = [row.querySelector('.slider'), row.querySelector('input.number')];
  const name = `${row.dataset.filter}.${row.dataset.parameter}`;
  if (['sharpenLuma.sigma', 'blackWhite.tintHue'].includes(name)) return [];
  const isZero = Number(field.value) === 0 && Number(slider.value) === 0
    && /^0([.]0+)?( ?[A-Za-z°%]+)?$/.test(slider.getAttribute('aria-valuetext'));
  return isZero ? [] : [`${name}: ${field.value}, ${slider.getAttribute('aria-valuetext')}`];
})"""


@scenario("every slider of the Adjust panel rests at 0, and values of others are stored")
def _(work):
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.keys import Keys
    photo = work.photo()
    with EditorPage(work, width=1440, height=1000) as page:
        page.open(work.serve(photo).link)
        opened_sections(page)
        equal(page.run(RESTS), [], "sliders that do not rest at 0")
        for row, typed, text in (("contrast.amount", "+50", "+50"), ("saturate.amount", "-100", "−100"),
                                 ("whiteBalance.temperature", "500", "+500"), ("exposure.black", "50", "+50")):
            name, key = row.split(".")
            field = page.one(f".adjust [data-filter={name}] input.number[data-key={key}]")
            page.run("arguments[0].scrollIntoView({block: 'center'})", field)
            field.click()
            page.act(lambda: field.send_keys(typed, Keys.ENTER))
            page.run("arguments[0].blur()", field)
            equal(page.run("return arguments[0].value", field), text, row)
        spoken = "return document.querySelector('.adjust [data-filter={}] .slider').getAttribute('aria-valuetext')"
        equal(page.run(spoken.format("contrast")), "+50", "spoken")
        page.save()
        values = {node["filter"]: node["params"] for node in stored(work, photo)["nodes"]}
        equal([values["contrast"]["amount"], values["saturate"]["amount"],
               values["whiteBalance"]["temperature"], values["exposure"]["black"]],
              [1.5, 0, 7000, 0.01], "stored")
        slider = page.one(".adjust [data-filter=contrast] .slider")
        page.run("arguments[0].scrollIntoView({block: 'center'})", slider)
        page.act(lambda: slider.send_keys(Keys.ARROW_LEFT))
        equal(page.run(spoken.format("contrast")), "+49", "one step by a key")
        page.act(lambda: ActionChains(page.driver).double_click(slider).perform())
        equal(page.run(spoken.format("contrast")), "0", "after a double click")
        equal(page.errors(), [], "console errors")


# Moves each slider and puts it back by its key, and looks at the list of filters and at the rows.
MOVE_ROWS = """
const [done] = arguments;
(async () => {
  const problems = [];
  const wait = (ms) => new Promise((resume) => setTimeout(resume, ms));
  const subtitle = () => document.querySelector('.bar .subtitle').textContent;
  const undo = document.querySelector('.bar [aria-label=Undo]');
  const filters = () => [...document.querySelectorAll('.panel-list > .panel')].map((panel) => panel.dataset.filter);
  const rows = [...document.querySelectorAll('.adjust .control:has(.slider)')];
  const names = new Set();
  for (const row of rows) {
    const slider = row.querySelector('.slider');
    const { filter, parameter } = row.dataset;
    const name = `${filter}.${parameter}`;
    names.add(filter);
    if (!row.querySelector('.name').textContent) problems.push(`${name}: no label`);
    const section = row.closest('.adjust-section');
    const use = section.querySelector('.switch');
    if (use && !use.checked) use.click();
    if (slider.disabled) {
      const main = section.querySelector(`[data-filter=${filter}] .slider:not(:disabled)`);
      main.value = main.max;
      main.dispatchEvent(new Event('input', { bubbles: true }));
    }
    const before = slider.value;
    slider.value = Number(before) < Number(slider.max) ? slider.max : slider.min;
    slider.dispatchEvent(new Event('input', { bubbles: true }));
    slider.dispatchEvent(new Event('change', { bubbles: true }));
    if (row.dataset.changed !== 'true') problems.push(`${name}: not lit up`);
    slider.dispatchEvent(new KeyboardEvent('keydown', { key: 'Backspace', bubbles: true }));
    if (row.dataset.changed !== 'false') problems.push(`${name}: still lit up`);
    while (!undo.disabled) undo.click();
    if (subtitle() !== 'Not edited') problems.push(`${name}: ${subtitle()} after undo`);
    if (filters().length) problems.push(`${name}: ${filters()} in the list`);
    await wait(0);
  }
  if (rows.length < 60 || names.size < 14) problems.push(`${rows.length} rows of ${names.size} filters`);
  await wait(300);
  return problems;
})().then(done, (error) => done([String(error)]));
"""


@scenario("sliders edit the last filter without a mask, and add new ones in a fixed order")
def _(work):
    photo = work.photo()
    graph = {"format": "org.photoedit.filter-graph", "version": "1.0", "nodes": [
        {"id": "a", "filter": "exposure", "v": 1, "params": {"ev": 0.5, "black": 0}},
        {"id": "m", "filter": "mask.linear", "v": 1, "in": [], "params": {"from": [0.5, 0], "to": [0.5, 1]}},
        {"id": "b", "filter": "exposure", "v": 1, "params": {"ev": 0.25, "black": 0}},
        {"id": "c", "filter": "exposure", "v": 1, "mask": "m", "params": {"ev": -1, "black": 0}},
        {"id": "d", "filter": "crop", "v": 1, "params": {"x": 0, "y": 0, "w": 0.5, "h": 1, "unit": "fraction"}}]}
    (work.path / "graph.json").write_text(json.dumps(graph))
    work.run("apply", "--graph", work.path / "graph.json", photo)
    with EditorPage(work, width=1440) as page:
        page.open(work.serve(photo).link)
        equal(page.value("exposure", "ev"), 0.25, "the slider")
        page.set("exposure", "ev", 1)
        for name, key, value in (("saturate", "amount", 1.5), ("whiteBalance", "temperature", 7000),
                                 ("vignette", "amount", 0.5), ("clarity", "amount", 0.5)):
            page.set(name, key, value)
        page.save()
        nodes = stored(work, photo)["nodes"]
        equal([(node["id"], node["params"]["ev"]) for node in nodes if node["filter"] == "exposure"],
              [("a", 0.5), ("b", 1), ("c", -1)], "exposures")
        equal([node["filter"] for node in nodes if node["filter"] not in ("exposure", "mask.linear")],
              ["whiteBalance", "clarity", "saturate", "crop", "vignette"], "order")
        page.click('[aria-label="Reset Light"]')
        page.save()
        equal([node["id"] for node in stored(work, photo)["nodes"] if node["filter"] == "exposure"],
              ["a", "c"], "one filter less")


@scenario("a switch adds black & white, and noise reduction at zero is no filter")
def _(work):
    photo = work.photo()
    with EditorPage(work, width=1440) as page:
        page.open(work.serve(photo).link)
        opened_sections(page)
        disabled = "return document.querySelector('[data-filter=blackWhite] [data-key=red]').disabled"
        equal(page.run(disabled), True, "a color before the switch")
        page.act(lambda: page.click("[data-filter=blackWhite] .switch"))
        equal(page.run(disabled), False, "a color after the switch")
        page.set("blackWhite", "red", 0.5)
        page.set("denoiseNLM", "amount", 0.4)
        page.save()
        equal([node["filter"] for node in stored(work, photo)["nodes"]], ["denoiseNLM", "blackWhite"],
              "saved")
        page.set("denoiseNLM", "amount", 0)
        page.act(lambda: page.click("[data-filter=blackWhite] .switch"))
        page.save()
        until(lambda: work.json("show", photo)["edited"] is False, "no edit is left")
        equal(page.errors(), [], "console errors")


@scenario("a button of a mask adds exposure within it, and the mask is placed on the photo")
def _(work):
    photo = work.photo()
    with EditorPage(work, width=1440, height=1000) as page:
        page.open(work.serve(photo).link)
        page.set("exposure", "ev", -0.5)
        opened_sections(page)
        page.act(lambda: page.click(".adjust-section .tool[data-filter='mask.radial']"))
        until(lambda: len(page.all(".handle")) == 3, "handles of the mask")
        page.one(".panel[data-filter=exposure] .panel[data-filter='mask.radial']")
        page.act(lambda: page.drag("[aria-label='Center of the mask']", 40, 20))
        equal(page.value("exposure", "ev"), -0.5, "the slider of the whole photo")
        page.act(lambda: page.click('.bar [aria-label="Undo"]'))
        page.act(lambda: page.click('.bar [aria-label="Undo"]'))
        equal(page.all(".handle"), [], "handles after undo")
        page.act(lambda: page.click('.bar [aria-label="Redo"]'))
        page.save()
        equal([(node["filter"], node["params"].get("ev"), "mask" in node)
               for node in stored(work, photo)["nodes"]],
              [("exposure", -0.5, False), ("mask.radial", None, False), ("exposure", 0.5, True)], "saved")
        equal(page.errors(), [], "console errors")


def listed(page, name):
    """Adds a filter by the list of all filters."""
    page.click(".button.add")
    page.click(f".palette-option[data-filter='{name}']")


@scenario("masks and blends that are chosen in the list of filters work at once, also after a crop")
def _(work):
    from selenium.webdriver.common.keys import Keys
    photo = work.photo()
    work.run("apply", "--filter", "crop:x=0.1,y=0.1,w=0.5,h=0.6", photo)
    with EditorPage(work, width=1440, height=1000) as page:
        page.open(work.serve(photo).link)
        shown = "return document.querySelector('.stage canvas').toDataURL().length"
        for name in ("mask.linear", "mask.radial", "mask.luma", "mask.invert", "blend"):
            before = page.run(shown)
            listed(page, name)
            page.one(f".panel[data-filter='{name}']")
            equal(page.run("return document.querySelector('.stage-problem').hidden"), True,
                  f"no problem with {name}: " + page.text(".stage-problem"))
            until(lambda: page.run(shown) != before, f"{name} changes the image")
            equal(len(page.all(".handle")) > 0, name in ("mask.linear", "mask.radial"), f"handles of {name}")
            page.keys(Keys.ESCAPE)
            until(lambda: not page.all(".handle"), "the tool is closed")
            while page.one('.bar [aria-label="Undo"]').is_enabled():
                page.act(lambda: page.click('.bar [aria-label="Undo"]'))
        # A mask that needs a file brightens a part once it has one.
        listed(page, "mask.image")
        until(lambda: "when its file is chosen" in page.text("#messages"), "the message")
        field = "[data-filter='mask.image'] input[type=file]"
        page.act(lambda: page.one(field).send_keys(str(work.photo("photo-portrait.jpg"))))
        page.save()
        nodes = stored(work, photo)["nodes"]
        equal([(node["filter"], "mask" in node) for node in nodes],
              [("crop", False), ("mask.image", False), ("exposure", True)], "saved")
        equal(page.errors(), [], "console errors")


def box(page, selector):
    return page.run("""const box = document.querySelector(arguments[0]).getBoundingClientRect();
      return [box.left, box.top, box.width, box.height]""", selector)


def press(page, name):
    page.act(lambda: page.click(f'.tool-bar [aria-label="{name}"]'))


def outside(page):
    """The corners of the crop area that are not on the photo."""
    return page.run("""const canvas = document.querySelector('.stage canvas');
      const frame = canvas.getBoundingClientRect();
      const shape = (getComputedStyle(canvas).clipPath.match(/[-\\d.]+%/g) ?? ['0', '0', '100', '0', '100', '100', '0', '100'])
        .map((value) => parseFloat(value) / 100);
      const points = Array.from({ length: shape.length / 2 }, (_, at) => [
        frame.left + shape[2 * at] * frame.width, frame.top + shape[2 * at + 1] * frame.height]);
      const area = document.querySelector('.crop-area').getBoundingClientRect();
      return [[area.left, area.top], [area.right, area.top], [area.right, area.bottom], [area.left, area.bottom]]
        .filter(([x, y]) => {
          const sides = points.map(([x1, y1], at) => {
            const [x2, y2] = points[(at + 1) % points.length];
            return ((x2 - x1) * (y - y1) - (y2 - y1) * (x - x1)) / Math.hypot(x2 - x1, y2 - y1); });
          return Math.min(...sides) < -1.5 && Math.max(...sides) > 1.5; }).length""")


@scenario("the crop tool shows the whole turned photo, and Save keeps what was in the rectangle")
def _(work):
    from PIL import Image
    from selenium.webdriver.common.keys import Keys
    photo = work.photo("photo-landscape.jpg")
    server = work.serve(photo)
    with EditorPage(work, width=1440, height=1000) as page:
        page.open(server.link)
        page.act(lambda: page.keys("s"))
        page.act(lambda: page.one(".dial").send_keys(Keys.PAGE_UP))
        equal(outside(page), 0, "corners outside of the photo after the dial")
        assert page.run("return getComputedStyle(document.querySelector('.stage canvas')).clipPath"
                        ).startswith("polygon"), "the outline of the turned photo"
        page.act(lambda: page.drag('[aria-label="Crop top left"]', 80, 50))
        press(page, "Turn right")
        press(page, "Flip left and right")
        page.act(lambda: page.drag('[aria-label="Crop bottom"]', 0, -40))
        equal(outside(page), 0, "corners outside of the photo")
        area, size = box(page, ".crop-area"), page.text(".crop-size")
        page.screenshot(str(work.path / "tool.png"))
        page.click(".tool-bar .primary")
        page.run_async("setTimeout(arguments[0], 1500)")
        equal(page.text(".stage-bar .size"), size.removesuffix(" px"), "the size of the result")
        page.save()
        saved = Image.open(photo.with_suffix(".edited.jpg")).convert("RGB")
        equal(size, "{} × {} px".format(*saved.size), "the size of the file")
        left, top, width, height = area
        seen = Image.open(work.path / "tool.png").convert("RGB").crop(
            tuple(round(value) for value in (left, top, left + width, top + height)))
        differences = [
            sum(abs(a - b) for a, b in zip(one, other)) / 3
            for one, other in zip(seen.resize((24, 24)).getdata(), saved.resize((24, 24)).getdata())]
        mean = sum(differences) / len(differences)
        assert mean < 12, f"mean difference {mean}"
        equal([node["filter"] for node in stored(work, photo)["nodes"]],
              ["straighten", "crop", "rotate90", "flip"], "filters")
        equal(page.errors(), [], "console errors")


@scenario("a line along the horizon levels it, also in a photo that is turned and flipped")
def _(work):
    from selenium.webdriver.common.action_chains import ActionChains
    photo = work.photo("photo-landscape.jpg")
    work.run("apply", "--filter", "crop:x=0.1,y=0.1,w=0.8,h=0.8", "--filter", "rotate90:turns=1",
             "--filter", "flip:axis=vertical", photo)
    with EditorPage(work, width=1440, height=1000) as page:
        page.open(work.serve(photo).link)
        page.act(lambda: page.keys("s"))
        equal(page.run("return document.querySelector('.tool-bar [aria-pressed]').ariaPressed"), "true",
              "drawing")
        left, top, width, height = box(page, ".frame")
        page.act(lambda: ActionChains(page.driver, duration=20)
                 .move_by_offset(int(left + width / 3), int(top + height / 2)).click_and_hold()
                 .move_by_offset(50, 5).move_by_offset(50, 5).release().perform())
        equal(page.text(".tool-bar output"), "−5.71°", "the line falls by 10 in 100: turned back")
        equal(outside(page), 0, "corners outside of the photo")
        page.save()
        nodes = stored(work, photo)["nodes"]
        equal([node["filter"] for node in nodes], ["straighten", "crop", "rotate90", "flip"], "filters")
        equal(round(nodes[0]["params"]["angle"], 1), 5.7, "mirrored, the angle of the filter")
        equal(page.errors(), [], "console errors")


@scenario("while the turned photo is still being rendered, all of it around the rectangle is dark")
def _(work):
    from selenium.webdriver.common.keys import Keys
    with EditorPage(work, width=1440, height=1000) as page:
        page.open(work.serve(work.photo("photo-landscape.jpg")).link)
        page.act(lambda: page.keys("c"))
        page.driver.execute_cdp_cmd("Network.enable", {})
        page.driver.execute_cdp_cmd("Network.emulateNetworkConditions", {
            "offline": False, "latency": 3000, "downloadThroughput": -1, "uploadThroughput": -1})
        page.one(".tool-bar .dial").send_keys(*[Keys.PAGE_UP] * 3)
        edges = page.run("""const dark = document.querySelector('.crop-shade');
          const frame = dark.getBoundingClientRect();
          const values = getComputedStyle(dark).clipPath.match(/[-\\d.]+%/g).map((value) => parseFloat(value) / 100);
          const along = (axis) => values.filter((_, at) => at % 2 === axis);
          const canvas = document.querySelector('.stage canvas');
          const photo = canvas.getBoundingClientRect();
          return [getComputedStyle(canvas).transform !== 'none', getComputedStyle(dark).overflow === 'visible',
            Math.abs(frame.left + Math.min(...along(0)) * frame.width - photo.left),
            Math.abs(frame.top + Math.min(...along(1)) * frame.height - photo.top),
            Math.abs(frame.left + Math.max(...along(0)) * frame.width - photo.right)]""")
        equal(edges[:2], [True, True], "the last image is turned, and what is outside of its frame is seen")
        assert max(edges[2:]) < 2, f"the dark part differs from the photo by {edges[2:]} pixels"


@scenario("after Done the photo is never shown without its crop")
def _(work):
    from selenium.webdriver.common.keys import Keys
    # What of the canvas is not clipped, in the window.
    seen = """const seen = () => { const canvas = document.querySelector('.stage canvas');
      const style = getComputedStyle(canvas);
      const { left, top, width, height } = document.querySelector('.frame').getBoundingClientRect();
      const shape = (style.clipPath.match(/[-\\d.]+%/g) ?? ['0', '0', '100', '0', '100', '100', '0', '100'])
        .map((value) => parseFloat(value) / 100);
      const matrix = new DOMMatrix(style.transform);
      const points = Array.from({ length: shape.length / 2 }, (_, at) => matrix.transformPoint(new DOMPoint(
        (shape[2 * at] - 0.5) * width, (shape[2 * at + 1] - 0.5) * height)));
      const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
      return [left + width / 2 + Math.min(...xs), top + height / 2 + Math.min(...ys),
        Math.max(...xs) - Math.min(...xs), Math.max(...ys) - Math.min(...ys)]; };"""
    with EditorPage(work, width=1440, height=1000) as page:
        page.open(work.serve(work.photo("photo-landscape.jpg")).link)
        for angle in (False, True):
            page.act(lambda: page.keys("c"))
            page.act(lambda: page.drag('[aria-label="Crop left"]', 60))
            if angle:
                page.act(lambda: page.one(".dial").send_keys(Keys.PAGE_UP))
            # Previews take longer from now on: what is shown meanwhile has to be right.
            page.run("""const send = window.fetch;
              window.fetch = (...request) => new Promise((resume) => { setTimeout(resume, 700); })
                .then(() => send(...request)).finally(() => { window.fetch = send; })""")
            area, frame = box(page, ".crop-area"), box(page, ".frame")
            done = page.one(".tool-bar .primary")
            found = page.run_async(seen + """const [button, done] = arguments;
              button.click();
              requestAnimationFrame(() => requestAnimationFrame(() => done(seen())));""", done)
            # The stage has more space without the bar of the tool, and the frame is in its middle.
            found[1] += frame[1] - box(page, ".frame")[1]
            difference = max(abs(one - other) for one, other in zip(found, area))
            assert difference < 3, f"shown is {found}, cropped is {area}"
            until(lambda: not page.run("return document.querySelector('.stage canvas').style.clipPath"), "the crop")
            until(lambda: page.run("return document.querySelector('.editor').dataset.busy") != "true", "idle")
        equal(page.errors(), [], "console errors")


@scenario("Cancel takes back crop, angle and turns in one step, and keeps other changes")
def _(work):
    from selenium.webdriver.common.keys import Keys
    photo = work.photo("photo-landscape.jpg")
    with EditorPage(work, width=1440, height=1000) as page:
        page.open(work.serve(photo).link)
        page.act(lambda: page.keys("c"))
        page.act(lambda: page.drag('[aria-label="Crop left"]', 60))
        page.act(lambda: page.one(".dial").send_keys(Keys.PAGE_UP))
        press(page, "Turn left")
        page.set("exposure", "ev", 1)
        press(page, "Flip top and bottom")
        buttons = {item.text: item for item in page.all(".tool-bar button")}
        page.act(buttons["Cancel"].click)
        assert page.text(".bar .subtitle").endswith("1 unsaved change"), page.text(".bar .subtitle")
        page.run("document.activeElement.blur()")
        page.act(lambda: page.chord(Keys.CONTROL, "z"))
        crop, turn = (".adjust .tool[data-filter=crop][data-changed=true]", ".panel[data-filter=rotate90]")
        equal([len(page.all(crop)), len(page.all(turn))], [1, 1], "everything is back by one step")
        equal(page.run("return document.querySelector('.stage canvas').style.clipPath"), "", "the outline")
        equal(page.errors(), [], "console errors")


@scenario("a ratio of one's own is typed, remembered and known again by the shape of the crop")
def _(work):
    from selenium.webdriver.common.keys import Keys
    photo = work.photo("photo-landscape.jpg")
    chosen = "return document.querySelector('.tool-bar select').selectedOptions[0].textContent"
    with EditorPage(work, width=1440, height=1000) as page:
        page.open(work.serve(photo).link)
        page.act(lambda: page.keys("c"))
        page.run("""const choice = document.querySelector('.tool-bar select'); choice.value = 'own';
          choice.dispatchEvent(new Event('change', { bubbles: true }))""")
        page.one("dialog[open] input:focus")
        page.keys("wide", Keys.ENTER)
        until(lambda: "like 5 : 7" in page.text("dialog[open]"), "the reason")
        page.chord(Keys.CONTROL, "a")
        page.act(lambda: page.keys("2:1", Keys.ENTER))
        equal(page.run(chosen), "2 : 1", "the choice")
        _, _, width, height = box(page, ".crop-area")
        assert abs(width - 2 * height) < 3, f"{width} × {height}"
        page.drag('[aria-label="Crop bottom right"]', -60, 0)
        _, _, less, height = box(page, ".crop-area")
        assert less < width - 30 and abs(less - 2 * height) < 3, f"{less} × {height}"
        page.save()
        page.driver.refresh()
        page.painted()
        page.act(lambda: page.keys("c"))
        equal(page.run(chosen), "2 : 1", "the choice after a reload")
        equal(page.errors(), [], "console errors")


@scenario("a text offers its fields and fonts, and its braces are no mistake while they are typed")
def _(work):
    from selenium.webdriver.common.keys import Keys
    photo = work.photo()
    work.run("apply", "--filter", "text:text=Hello", photo)
    problem = "return !document.querySelector('.stage-problem').hidden"
    with EditorPage(work, width=1440, height=900) as page:
        page.open(work.serve(photo).link)
        if page.all(".panel[data-filter=text] .disclosure[aria-expanded=false]"):
            page.click(".panel[data-filter=text] .disclosure")
        text = page.one(".panel[data-filter=text] textarea")
        page.act(lambda: text.send_keys(" in "))
        text.send_keys("{da")
        page.run_async("setTimeout(arguments[0], 700)")
        equal(page.run(problem), False, "half of a field")
        page.act(lambda: text.send_keys("te}"))
        equal(page.run(problem), False, "the field")
        # Half of it that stays is a mistake.
        text.send_keys("{")
        until(lambda: page.run(problem), "the reason")
        text.send_keys("ca")
        page.click(".panel .control [aria-haspopup=menu]")
        page.one(".menu button:focus")
        names = [item.text for item in page.all(".menu button")]
        assert "Date {date}" in names and "Aperture {fNumber}" in names, names
        for _ in range(names.index("Camera {camera}")):
            page.keys(Keys.ARROW_DOWN)
        page.act(lambda: page.keys(Keys.ENTER))
        equal(text.get_attribute("value"), "Hello in {date}{camera}", "the text")
        until(lambda: page.run("return document.activeElement === arguments[0]", text), "the focus")
        equal(page.run(problem), False, "the text")
        fonts = page.run("""const font = document.querySelector('.panel input[data-key=font]');
          return [...font.list.options].map(({ value }) => value)""")
        assert "serif:bold" in fonts, fonts
        page.run("document.querySelector('.panel input[data-key=font]').closest('details')?.setAttribute('open', '')")
        font = page.one(".panel input[data-key=font]")
        font.clear()
        page.act(lambda: font.send_keys("monospace"))
        equal(page.run(problem), False, "a font of the list")
        page.save()
        (node,) = work.json("show", photo)["graph"]["nodes"]
        equal([node["params"]["text"], node["params"]["font"]],
              ["Hello in {date}{camera}", "monospace"], "the stored edit")
        equal(page.errors(), [], "console errors")


@scenario("the focus on a choice far down in the panels scrolls them, and not the page")
def _(work):
    photo = work.photo()
    for part in ("text:text=Hello", "edges:output=x", "blackWhite:mode=channels"):
        work.run("apply", "--filter", part, photo)
    for width in (1440, 390):
        with EditorPage(work, width=width, height=700) as page:
            page.open(work.serve(photo).link)
            page.run("""for (const head of document.querySelectorAll('.panel .disclosure[aria-expanded=false]'))
              head.click();
              for (const more of document.querySelectorAll('.panel details')) more.open = true;""")
            page.run("[...document.querySelectorAll('.panel .segments input')].at(-1).focus()")
            equal(page.run("return [document.documentElement.scrollTop, document.documentElement.scrollHeight]"),
                  [0, 700], f"the page at {width} px")


if __name__ == "__main__":
    require()
    sys.exit(scenario.run(sys.argv[1:]))
