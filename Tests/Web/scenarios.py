#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""What a person does in the browser, and what the command line finds afterwards.

Usage: scenarios.py [WORD...]   run the scenarios whose name contains a word (default: all)
"""

import collections
import json
import sys

from browser import Page, require
from harness import Checks, equal, until
from large import large_photo

scenario = Checks()

RECORD = """
window.paints = [];
window.histograms = [];
document.addEventListener('photoedit:painted', ({detail}) => window.paints.push(detail));
const clear = CanvasRenderingContext2D.prototype.clearRect;
CanvasRenderingContext2D.prototype.clearRect = function (...box) {
  if (this.canvas.closest('.histogram')) window.histograms.push(performance.now());
  return clear.apply(this, box);
};
"""
EXPOSURE = "[data-filter=exposure] input.slider[data-key=ev]"


# Converts between the stored value of a parameter and the one that people see.
CONVERTED = """
const [filter, key, value, way, done] = arguments;
Promise.all([import('/web/js/editor/schema.js'), import('/web/js/editor/scale.js')])
  .then(async ([{ schema }, { scaleOf }]) => {
    const found = (await schema()).filter(filter);
    const scale = scaleOf(found, found.parameters.find(({ name }) => name === key));
    done(scale ? scale[way](value) : value);
  });
"""


class EditorPage(Page):
    """The editor of a photo, with the record of what it painted."""

    def open(self, address):
        self.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": RECORD})
        super().open(address)
        self.painted()

    def painted(self, after=-1):
        """Waits until a still with a later number than `after` is on the screen."""
        find = ("return (window.paints ?? []).findLast(p => p.purpose === 'still')?.sequence"
                " ?? -1")
        state = ("return JSON.stringify([(window.paints ?? []).slice(-2),"
                 " document.querySelector('.editor')?.dataset.busy,"
                 " document.querySelector('.bar .subtitle')?.textContent,"
                 " document.querySelector('#messages').textContent])")
        try:
            return until(lambda: (n := self.run(find)) > after and (n or 0.5), "", 60)
        except AssertionError:
            raise AssertionError(f"no still after {after}: {self.run(state)}") from None

    def act(self, action):
        """Performs an action and waits until its still is painted."""
        before = self.run("return window.paints.at(-1)?.sequence ?? -1")
        action()
        self.painted(before)

    def save(self):
        self.click(".bar .primary")
        until(lambda: "unsaved" not in self.text(".bar .subtitle")
              and "Saving" not in self.text(".bar .subtitle"), "the edit is saved")

    def set(self, filter_name, key, value):
        """Types a value into the number field of a control."""
        from selenium.webdriver.common.keys import Keys
        closed = "[aria-expanded=false]"
        for place in (f".adjust-section[data-filters~={filter_name}]", f".panel[data-filter={filter_name}]"):
            if self.all(place):
                if self.all(f"{place} .disclosure{closed}"):
                    self.click(f"{place} .disclosure{closed}")
                break
        field = self.one(f"[data-filter={filter_name}] input.number[data-key={key}]")
        self.run("arguments[0].scrollIntoView({block: 'center'})", field)
        field.click()
        shown = self.converted(filter_name, key, value, "shown")
        self.act(lambda: field.send_keys(str(shown), Keys.ENTER))

    def value(self, filter_name, key, place=""):
        """The stored value of a slider."""
        shown = self.run("return Number(document.querySelector(arguments[0]).value)",
                         f"{place} [data-filter='{filter_name}'] input.slider[data-key={key}]")
        return self.converted(filter_name, key, shown, "stored")

    def converted(self, filter_name, key, value, way):
        """A stored value as it is shown, or the other way round."""
        if isinstance(value, str):
            return value
        return self.run_async(CONVERTED, filter_name, key, value, way)

    def states(self):
        return [item.text for item in self.all(".history-list .state")]


def same_pixels(first, second):
    from PIL import Image, ImageChops
    a, b = Image.open(first).convert("RGB"), Image.open(second).convert("RGB")
    equal(a.size, b.size, "size")
    equal(ImageChops.difference(a, b).getbbox(), None, "differing pixels")


def stored(work, photo):
    return work.json("show", photo)["graph"]


@scenario("S1 open a photo, drag exposure, save; the command line sees the edit and its pixels")
def _(work):
    photo = work.photo()
    server = work.serve(photo)
    with EditorPage(work) as page:
        page.open(server.link)
        equal("#" in page.driver.current_url and "code" in page.driver.current_url, False,
              "the launch code is in the address")
        page.act(lambda: page.drag(EXPOSURE, 24))
        ev = page.value("exposure", "ev")
        assert ev > 0.2, f"the slider did not move: {ev}"
        equal(photo.with_suffix(".edited.jpg").exists(), False, "written before Save")
        page.save()
        graph = stored(work, photo)
        equal([node["filter"] for node in graph["nodes"]], ["exposure"], "filters")
        equal(round(graph["nodes"][0]["params"]["ev"], 6), round(ev, 6), "stored exposure")
        (work.path / "graph.json").write_text(json.dumps(graph))
        work.run("render", photo, "--graph", work.path / "graph.json", "-o",
                 work.path / "expected.jpg")
        same_pixels(photo.with_suffix(".edited.jpg"), work.path / "expected.jpg")
        equal(page.errors(), [], "console errors")


# Moves a slider in every frame for some milliseconds, and waits for the still; returns the previews
# that were painted, when the histogram was drawn, and the requests.
DRAG = """
const [selector, duration, done] = arguments;
(async () => {
  const slider = document.querySelector(selector);
  const [low, high] = [Number(slider.min), Number(slider.max)];
  performance.clearResourceTimings();
  performance.setResourceTimingBufferSize(10000);
  const [paints, histograms] = [window.paints.length, window.histograms.length];
  const start = performance.now();
  let last = start;
  while (last - start < duration) {
    slider.value = low + (high - low) * (0.5 + 0.2 * Math.sin((last - start) / 300));
    slider.dispatchEvent(new Event('input', { bubbles: true }));
    last = await new Promise((resume) => requestAnimationFrame(resume));
  }
  while (!window.paints.some((paint) => paint.purpose === 'still' && paint.painted > last)) {
    await new Promise((resume) => setTimeout(resume, 20));
  }
  await new Promise((resume) => setTimeout(resume, 500));
  const requests = performance.getEntriesByType('resource')
    .filter(({ name }) => name.includes('/api/editing/'))
    .map(({ name, duration, responseStatus }) => ({
      kind: name.split('/editing/')[1].split('/')[1], duration, status: responseStatus }));
  return { paints: window.paints.slice(paints), histograms: window.histograms.slice(histograms), requests };
})().then(done, (error) => done({ error: String(error) }));
"""


def drag_result(page, milliseconds):
    """Drags a slider; returns the delays of the histograms after their previews, and the requests."""
    page.driver.set_script_timeout(120)
    result = page.run_async(DRAG, EXPOSURE, milliseconds)
    equal(result.get("error"), None, "drag")
    painted = [paint["painted"] for paint in result["paints"]]
    # A histogram is drawn after its preview and before the next one.
    delays = [next((drawn - time for drawn in result["histograms"] if drawn >= time), None)
              for time in painted]
    for time, following, delay in zip(painted, painted[1:] + [float("inf")], delays):
        assert delay is not None and time + delay < following, "a preview without its histogram"
    return delays, result["requests"]


@scenario("S1 during a drag of a 12 MP photo each preview has its histogram, and none is refused")
def _(work):
    server = work.serve(large_photo(work, 12))
    with EditorPage(work, width=2040, height=1320) as page:
        page.open(server.link)
        delays, requests = drag_result(page, 4000)
        equal({request["kind"] for request in requests} - {"draft"}, {"preview"}, "requests")
        # The page replaces a preview that takes longer than 250 ms, as on a busy machine.
        refused = [request for request in requests
                   if request["status"] == 409 and request["duration"] < 250]
        equal(refused, [], "refused requests")
        statuses = collections.Counter(request["status"] for request in requests)
        print(f"      {len(delays)} previews, histograms after at most {max(delays):.1f} ms, "
              f"statuses {dict(statuses)}", flush=True)
        equal(page.errors(), [], "console errors")


@scenario("S1 a photo with colors outside of sRGB is shown with them on a screen that has them")
def _(work):
    for photo, has_gamut, expected in (("jpeg-display-p3.jpg", True, "display-p3"),
                                       ("jpeg-display-p3.jpg", False, "srgb"),
                                       ("photo-1024.jpg", True, "srgb")):
        server = work.serve(work.photo(photo))
        with EditorPage(work) as page:
            page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [
                {"name": "color-gamut", "value": "p3" if has_gamut else "srgb"}]})
            page.open(server.link)
            space = page.run("return document.querySelector('.stage canvas').getContext('2d')"
                             ".getContextAttributes().colorSpace")
            equal(space, expected, f"{photo}, gamut {has_gamut}")


@scenario("S1 holding a key shows the original, releasing it the edit")
def _(work):
    server = work.serve(work.photo())
    with EditorPage(work) as page:
        page.open(server.link)
        page.set("exposure", "ev", -2)
        until(lambda: page.run("return document.querySelector('.stage canvas').width > 1"), "paint")
        from selenium.webdriver.common.action_chains import ActionChains
        page.run("document.activeElement.blur()")
        original = "return document.querySelectorAll('.frame > canvas')[2].hidden"
        equal(page.run(original), True, "original hidden at first")
        until(lambda: (ActionChains(page.driver).key_down("\\").perform(), not page.run(original))[1],
              "the original is shown while the key is held")
        ActionChains(page.driver).key_up("\\").perform()
        until(lambda: page.run(original), "the edit is shown again")
        equal(page.errors(), [], "console errors")


@scenario("S2 revert, undo the revert, and go to a state of the history with its values")
def _(work):
    photo = work.photo()
    work.run("apply", "--filter", "exposure:ev=0.2", photo)
    work.run("adjust", photo, "--set", "exposure.ev=0.5")
    server = work.serve(photo)
    with EditorPage(work, width=1440) as page:
        page.open(server.link)
        until(lambda: len(page.all(".history-list .state")) == 3, "three states")
        assert "+0.20 → +0.50" in page.states()[0], page.states()
        page.act(lambda: page.click(".bar .actions button[title^=Revert]"))
        until(lambda: work.json("show", photo)["edited"] is False, "reverted")
        page.act(lambda: page.click(".message .button"))
        # The still of the revert may have been painted late.
        until(lambda: work.json("show", photo)["edited"], "the revert is undone")
        equal(stored(work, photo)["nodes"][0]["params"]["ev"], 0.5, "exposure after undo")
        page.act(lambda: page.click('.state[data-n="1"] .state-button'))
        equal(stored(work, photo)["nodes"][0]["params"]["ev"], 0.5, "looking changes nothing")
        page.act(lambda: page.click(".state-actions .button"))
        until(lambda: stored(work, photo)["nodes"][0]["params"]["ev"] == 0.2, "went to the state")
        equal(page.value("exposure", "ev"), 0.2, "slider")
        equal(page.errors(), [], "console errors")


@scenario("S2 undo and redo inside of a draft are steps of gestures")
def _(work):
    server = work.serve(work.photo())
    with EditorPage(work) as page:
        from selenium.webdriver.common.keys import Keys
        page.open(server.link)
        page.act(lambda: page.drag(EXPOSURE, 30))
        first = page.value("exposure", "ev")
        page.act(lambda: page.drag(EXPOSURE, -20))
        page.run("document.activeElement.blur()")
        page.act(lambda: page.chord(Keys.CONTROL, "z"))
        equal(page.value("exposure", "ev"), first, "after one undo")
        page.act(lambda: page.chord(Keys.CONTROL, "z"))
        equal(page.value("exposure", "ev"), 0, "after two undos")
        equal(page.one(".bar .primary").is_enabled(), False, "Save without a difference")


@scenario("S2 a tool that is opened and ended changes nothing; its first change is one step")
def _(work):
    from selenium.webdriver.common.keys import Keys
    photo = work.photo()
    server = work.serve(photo)
    with EditorPage(work) as page:
        page.open(server.link)
        steps = "return document.querySelector('.bar [aria-label=Undo]').disabled"
        for key, focus in (("c", ".crop-area"), ("s", ".dial")):
            page.act(lambda: page.keys(key))
            until(lambda: page.run("return document.activeElement.matches(arguments[0])", focus),
                  f"{focus} has the focus")
            page.act(lambda: page.keys(Keys.ESCAPE))
            equal(page.text(".bar .subtitle"), "Not edited", f"after {key} and Esc")
            equal(page.run(steps), True, "nothing to undo")
            assert page.run("return document.activeElement.matches('.tool')"), "focus after Esc"
        page.act(lambda: page.keys("s"))
        page.act(lambda: page.keys(Keys.ARROW_RIGHT))
        assert page.text(".bar .subtitle").endswith("1 unsaved change"), page.text(".bar .subtitle")
        page.act(lambda: page.chord(Keys.CONTROL, "z"))
        equal(page.text(".bar .subtitle"), "Not edited", "after one undo")
        page.one(".tool-bar .dial")
        page.act(lambda: page.keys(Keys.ESCAPE, "c"))
        page.keys(Keys.TAB)
        page.act(lambda: page.chord(Keys.SHIFT, Keys.ARROW_RIGHT))
        page.keys(Keys.ENTER)
        page.save()
        crop = stored(work, photo)["nodes"][0]
        equal((crop["filter"], round(crop["params"]["x"] * 1024)), ("crop", 10), "saved crop")
        equal(page.errors(), [], "console errors")


@scenario("S2 a click on a slider that does not move it leaves later changes separate steps")
def _(work):
    from selenium.webdriver.common.keys import Keys
    server = work.serve(work.photo())
    with EditorPage(work) as page:
        page.open(server.link)
        page.act(lambda: page.drag(EXPOSURE, 30))
        page.run("""const slider = document.querySelector(arguments[0]);
          for (const type of ['pointerdown', 'pointerup']) {
            slider.dispatchEvent(new PointerEvent(type, {bubbles: true})); }""", EXPOSURE)
        page.set("exposure", "ev", 1)
        page.set("exposure", "black", 0.01)
        page.act(lambda: page.click('.bar [aria-label="Undo"]'))
        equal(page.value("exposure", "ev"), 1, "exposure after one undo")
        equal(page.value("exposure", "black"), 0, "black after one undo")


@scenario("S12 with the keyboard alone: perspective, a curve, a mask on the photo, and a preset")
def _(work):
    from selenium.webdriver.common.keys import Keys
    server = work.serve(work.photo())
    matches = "return document.activeElement.matches(arguments[0])"
    with EditorPage(work, width=1440) as page:
        page.open(server.link)

        def add(name):
            page.keys("/")
            page.one(".palette-input:focus")
            page.act(lambda: page.keys(name, Keys.ENTER))

        def tab_to(selector, is_back=False):
            for _ in range(60):
                if page.run(matches, selector):
                    return
                if is_back:
                    page.chord(Keys.SHIFT, Keys.TAB)
                else:
                    page.keys(Keys.TAB)
            raise AssertionError(f"no Tab reaches {selector}")

        add("perspective")
        until(lambda: page.run(matches, "[data-filter=perspective] .tool"), "the new panel's tool")
        page.keys(Keys.ENTER)
        until(lambda: page.run(matches, ".handle"), "a corner has the focus")
        page.act(lambda: page.chord(Keys.SHIFT, Keys.ARROW_RIGHT))
        page.keys(Keys.ESCAPE)
        until(lambda: page.run(matches, "[data-filter=perspective] .tool"), "the tool again")
        add("curve")
        until(lambda: page.run("return Boolean(document.activeElement.closest(arguments[0]))",
                               "[data-filter=curve]"), "the panel of the curve")
        add("sepia")
        tab_to("[data-filter=sepia] [aria-label=More]", is_back=True)
        page.keys(Keys.ENTER)
        page.one(".menu button:focus")
        for _ in range(5):
            if page.run("return document.activeElement.textContent") == "Add linear mask":
                break
            page.keys(Keys.ARROW_DOWN)
        page.act(lambda: page.keys(Keys.ENTER))
        tab_to("[data-filter='mask.linear'] .tool")
        page.keys(Keys.ENTER)
        until(lambda: page.run(matches, ".handle"), "an end of the mask has the focus")
        page.act(lambda: page.chord(Keys.SHIFT, Keys.ARROW_DOWN))
        page.keys(Keys.ESCAPE)
        tab_to('[aria-label="Save the edit as a preset"]')
        page.keys(Keys.ENTER)
        page.one("dialog[open] input:focus")
        page.keys("Evening", Keys.ENTER)
        until(lambda: page.text(".preset-list") == "Evening", "the preset")
        equal(page.all("dialog"), [], "dialogs after Enter")
        equal(page.errors(), [], "console errors")


@scenario("S3 a change by another program is shown and not overwritten")
def _(work):
    photo = work.photo()
    work.run("apply", "--filter", "exposure:ev=0.2", photo)
    server = work.serve(photo)
    with EditorPage(work) as page:
        page.open(server.link)
        page.set("exposure", "ev", 1)
        work.run("adjust", photo, "--set", "exposure.ev=-1")
        page.click(".bar .primary")
        dialog = page.one("dialog[open]").text
        assert "Changed by another program" in dialog, dialog
        assert "−1.00" in dialog and "+1.00" in dialog, dialog
        equal(stored(work, photo)["nodes"][0]["params"]["ev"], -1, "nothing overwritten")
        page.click("dialog [data-action=save]")
        until(lambda: stored(work, photo)["nodes"][0]["params"]["ev"] == 1, "mine is on top")
        states = work.json("history", photo)["states"]
        equal(len(states), 4, "states: both changes are in the history")
        equal(page.errors(), [], "console errors")


@scenario("S3 discarding mine shows the state of the other program")
def _(work):
    photo = work.photo()
    work.run("apply", "--filter", "exposure:ev=0.2", photo)
    server = work.serve(photo)
    with EditorPage(work) as page:
        page.open(server.link)
        page.set("exposure", "ev", 1)
        work.run("adjust", photo, "--set", "exposure.ev=-1")
        page.click(".bar .primary")
        page.one("dialog[open]")
        page.act(lambda: page.click("dialog [data-action=discard]"))
        until(lambda: page.value("exposure", "ev") == -1, "their value is shown")


@scenario("S4 a draft survives the end of the server by kill -9")
def _(work):
    photo = work.photo()
    server = work.serve(photo)
    with EditorPage(work) as page:
        page.open(server.link)
        page.set("exposure", "ev", "0.75")
        until(lambda: any(path.is_file() and b"0.75" in path.read_bytes()
                          for path in (work.path / "state").rglob("drafts/*.json")), "the draft is stored")
        server.kill()
        again = work.serve(photo)
        page.open(again.link)
        until(lambda: page.value("exposure", "ev") == 0.75, "the draft is shown")
        assert "1 unsaved change" in page.text(".bar .subtitle") or "unsaved" in page.text(
            ".bar .subtitle"), page.text(".bar .subtitle")
        equal(photo.with_suffix(".edited.jpg").exists(), False, "nothing was written")
        page.save()
        equal(stored(work, photo)["nodes"][0]["params"]["ev"], 0.75, "saved exposure")
        mode = {oct(path.stat().st_mode & 0o077) for path in (work.path / "state").rglob("*")}
        equal(mode, {"0o0"}, "draft files are readable by their owner alone")


@scenario("a draft is saved as a preset and added to another edit")
def _(work):
    server = work.serve(work.photo())
    with EditorPage(work, width=1440) as page:
        page.open(server.link)
        page.set("exposure", "ev", 1)
        page.click('.presets [aria-label="Save the edit as a preset"]')
        page.one("dialog[open] input")
        page.keys("bright")
        until(lambda: page.run("return document.querySelector('dialog input').value") == "bright",
              "the name is typed")
        page.click("dialog .primary")
        until(lambda: page.all(".preset"), "the preset is listed")
        page.act(lambda: page.click(".preset"))
        equal(len(page.all('.panel[data-filter="exposure"][data-active="true"]')), 2, "nodes")
        page.save()
        equal(page.errors(), [], "console errors")


@scenario("S10 every filter of the schema has a panel, and each of its controls moves")
def _(work):
    server = work.serve(work.photo("photo-landscape.jpg"))
    schema = json.loads(work.run("filters", "--json"))["filters"]
    with EditorPage(work, height=1400) as page:
        page.open(server.link)
        for description in schema:
            if description["family"] == "movie":
                continue
            problem = page.run_async(MOVE_CONTROLS, description["name"])
            if problem:
                raise AssertionError(f"{description['name']}: {problem}")
        equal(page.errors(), [], "console errors")


@scenario("S16 a lookup table is chosen for a filter, survives a reload, and is saved")
def _(work):
    cube = work.path / "warm.cube"
    work.run("bake", "--filter", "sepia", "-o", cube)
    photo = work.photo()
    server = work.serve(photo)
    panel = ".panel[data-filter=lut3d]"
    with EditorPage(work) as page:
        page.open(server.link)
        page.click(".button.add")
        page.click(".palette-option[data-filter=lut3d]")
        page.one(f"{panel}[data-enabled=false]")
        assert "No file" in page.text(panel), page.text(panel)
        page.act(lambda: page.one(f"{panel} input[type=file]").send_keys(str(cube)))
        page.one(f"{panel}[data-enabled=true]")
        assert "warm.cube" in page.text(panel), page.text(panel)
        page.click('.bar [aria-label="Undo"]')
        page.one(f"{panel}[data-enabled=false]")
        page.act(lambda: page.click('.bar [aria-label="Redo"]'))
        until(lambda: list((work.path / "state").rglob("drafts/*.json")), "the draft is stored")
        page.driver.refresh()
        page.painted()
        page.one(f"{panel}[data-enabled=true]")
        page.save()
        graph = stored(work, photo)
        equal([(node["filter"], node["params"]["asset"]) for node in graph["nodes"]],
              [("lut3d", "warm")], "saved graph")
        equal(page.errors(), [], "console errors")
    twin = work.photo(to="twin.jpg")
    work.run("apply", "--filter", f"lut3d:file={cube}", twin)
    same_pixels(photo.with_suffix(".edited.jpg"), twin.with_suffix(".edited.jpg"))


@scenario("S16 a filter uses a file that a preset has; other kinds of files are not offered")
def _(work):
    presets = work.path / "home/.local/share/photoedit/presets"
    presets.mkdir(parents=True)
    cube, overlay = work.path / "warm.cube", work.photo("png-rgba-8.png")
    work.run("bake", "--filter", "sepia", "-o", cube)
    for name, filter_text in (("Evening", f"lut3d:file={cube}"), ("Frame", f"overlay:file={overlay}")):
        sample = work.photo(to=f"{name}.jpg")
        work.run("apply", "--filter", filter_text, sample)
        work.run("preset", sample, "-o", presets / f"{name}.json")
    cube.unlink()
    photo = work.photo()
    panel = ".panel[data-filter=lut3d]"
    with EditorPage(work) as page:
        page.open(work.serve(photo).link)
        page.click(".button.add")
        page.click(".palette-option[data-filter=lut3d]")
        page.one(f"{panel}[data-enabled=false]")
        page.click(f"{panel} [aria-haspopup=menu][title^=Use]")
        page.one(".menu button")
        equal([item.text for item in page.all(".menu button")], ["warm (Evening)"], "files")
        page.act(lambda: page.click(".menu button"))
        page.one(f"{panel}[data-enabled=true]")
        assert "warm" in page.text(panel), page.text(panel)
        page.click('.bar [aria-label="Undo"]')
        page.one(f"{panel}[data-enabled=false]")
        page.act(lambda: page.click('.bar [aria-label="Redo"]'))
        page.save()
        page.click(".button.add")
        page.click(".palette-option[data-filter=lut1d]")
        page.click(".panel[data-filter=lut1d] [aria-haspopup=menu][title^=Use]")
        page.one(".menu button")
        equal([item.text for item in page.all(".menu button")], ["No preset has such a file"],
              "files of another kind")
        equal(page.errors(), [], "console errors")
    same_pixels(photo.with_suffix(".edited.jpg"), work.path / "Evening.edited.jpg")


# Adds a filter by the list of filters, changes each control, checks the draft, undoes everything.
MOVE_CONTROLS = """
const [name, done] = arguments;
(async () => {
  const wait = (ms) => new Promise((resume) => setTimeout(resume, ms));
  document.querySelector('.button.add').click();
  const option = document.querySelector(`.palette-option[data-filter="${name}"]`);
  if (!option) return 'not in the list of filters';
  option.click();
  await wait(30);
  const panels = [...document.querySelectorAll(`.panel[data-filter="${name}"]`)];
  const panel = panels.find((item) => item.dataset.active === 'true');
  if (!panel) return 'no panel';
  for (const details of panel.querySelectorAll('details')) details.open = true;
  const { get, path } = await import('/web/js/api.js');
  const schema = (await get(path`/api/filters`)).filters.find((f) => f.name === name);
  for (const parameter of schema.parameters) {
    // The server attaches fonts and fills in fields.
    if (parameter.kind === 'font' || parameter.name === 'filled') continue;
    // The modules of rare controls are loaded when a filter has such a parameter.
    let row = null;
    for (let tries = 0; !row && tries < 500; tries += 1) {
      row = panel.querySelector(`[data-parameter="${parameter.name}"]`);
      if (!row) await wait(10);
    }
    if (!row) return `no control for ${parameter.name}`;
    // A file is chosen, and strokes are painted on the photo.
    if (['asset', 'strokes'].includes(parameter.type)) continue;
    const input = row.querySelector('input.slider')
      ?? row.querySelector('input:not([type=radio]), select, textarea, input[type=radio]:not(:checked)');
    if (!input) {
      if (parameter.type === 'choice' && parameter.choices.length === 1) continue;
      if (parameter.type === 'numbers' && row.querySelector('button')) continue;
      return `no input for ${parameter.name}`;
    }
    if (!row.textContent.trim() && !input.getAttribute('aria-label')) return `no name for ${parameter.name}`;
    if (input.type === 'range') {
      input.value = Number(input.value) < Number(input.max) ? input.max : input.min;
      input.dispatchEvent(new Event('input', { bubbles: true }));
      input.dispatchEvent(new Event('change', { bubbles: true }));
    } else if (input.type === 'checkbox' || input.type === 'radio') {
      input.click();
    } else if (input.tagName === 'SELECT') {
      input.selectedIndex = (input.selectedIndex + 1) % input.options.length;
      input.dispatchEvent(new Event('change', { bubbles: true }));
    } else if (parameter.type === 'text') {
      input.value = parameter.name === 'font' ? 'sans-serif:bold' : 'One fine day';
      input.dispatchEvent(new Event('input', { bubbles: true }));
      input.dispatchEvent(new Event('change', { bubbles: true }));
    } else if (input.type === 'color') {
      input.value = '#336699';
      input.dispatchEvent(new Event('input', { bubbles: true }));
    } else {
      const limits = parameter.range ?? [0, 1];
      const old = Number(input.value.replace('−', '-'));
      const next = [old + 0.25, old - 0.25, old + 1, old - 1]
        .find((v) => v >= limits[0] && v <= limits[1] && (parameter.type !== 'integer' || Number.isInteger(v)));
      input.value = String(next);
      input.dispatchEvent(new Event('change', { bubbles: true }));
    }
    await wait(5);
  }
  await wait(250);
  const undo = document.querySelector('.bar [aria-label="Undo"]');
  while (!undo.disabled) undo.click();
  await wait(20);
  return null;
})().then(done, (error) => done(String(error)));
"""


if __name__ == "__main__":
    require()
    sys.exit(scenario.run(sys.argv[1:]))
