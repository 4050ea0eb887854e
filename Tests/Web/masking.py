#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Masks that are painted on the photo, and what the command line finds afterwards.

Usage: masking.py [WORD...]   run the scenarios whose name contains a word (default: all)
"""

import math
import sys

from adjusting import box
from browser import require
from harness import Checks, equal, until
from retouching import GEOMETRY, MASKS
from scenarios import EditorPage, stored

scenario = Checks()

SIZE = (1200, 800)
GRAY = (110, 110, 110)
ALT = 1
BRUSH = f"{MASKS} .tool[data-filter='mask.brush']"


def plain(work, name="plain.png", size=SIZE):
    from PIL import Image
    path = work.path / name
    Image.new("RGB", size, GRAY).save(path)
    return path


def opened(page, select=BRUSH):
    """Adds a brush mask; the bar of the tool makes the photo smaller."""
    if page.all(f"{MASKS} [aria-expanded=false]"):
        page.run(f"document.querySelector('{MASKS} .disclosure').click()")
    page.act(lambda: page.click(select))
    until(lambda: page.all(".brush-board"), "the tool")
    page.run_async("requestAnimationFrame(() => requestAnimationFrame(arguments[0]))")


def pointed(page, kind, x, y, pressed=True, pen=None, modifiers=0):
    page.driver.execute_cdp_cmd("Input.dispatchMouseEvent", {
        "type": kind, "x": x, "y": y, "modifiers": modifiers, "buttons": 1 if pressed else 0, "clickCount": 1,
        "button": "left" if pressed or kind == "mouseReleased" else "none",
        **({"pointerType": "pen", "force": pen} if pen is not None else {})})


def on_screen(page, points):
    """Points of what is shown, in fractions of it, in points of the window."""
    left, top, width, height = box(page, ".frame")
    return [(left + x * width, top + y * height) for x, y in points]


def painted(page, *points, pen=None, modifiers=0, ends=True):
    """Paints a stroke through points of what is shown, in fractions of it."""
    first, *rest = on_screen(page, points)
    force = pen[0] if pen else None
    pointed(page, "mouseMoved", *first, pressed=False, pen=0 if pen else None, modifiers=modifiers)
    pointed(page, "mousePressed", *first, pen=force, modifiers=modifiers)
    last = first
    for index, point in enumerate(rest):
        force = pen[index + 1] if pen else None
        for step in range(1, 6):
            between = [a + (b - a) * step / 5 for a, b in zip(last, point)]
            pointed(page, "mouseMoved", *between, pen=force, modifiers=modifiers)
        last = point
    if ends:
        pointed(page, "mouseReleased", *last, pressed=False, pen=force, modifiers=modifiers)
        pointed(page, "mouseMoved", *last, pressed=False, pen=0 if pen else None)


def slider(page, name, value):
    page.run("""const slider = document.querySelector(`.retouch-bar [aria-label='${arguments[0]}']`);
      slider.value = arguments[1]; slider.dispatchEvent(new Event('input'));
      slider.dispatchEvent(new Event('change'))""", name, value)


def strokes(work, photo):
    """The strokes of the only brush mask of an edit."""
    (mask,) = [node for node in stored(work, photo)["nodes"] if node["filter"] == "mask.brush"]
    return [stroke for stroke in mask["params"]["strokes"] if stroke["flow"]]


def edited(photo):
    from PIL import Image
    return Image.open(next(photo.parent.glob(f"{photo.stem}.edited.*"))).convert("RGB")


def brightened(image, before=None, by=12):
    """The pixels that are brighter than before: their number and their center."""
    from PIL import Image, ImageChops
    difference = ImageChops.difference(image, before or Image.new("RGB", image.size, GRAY)).convert("L")
    mask = difference.point(lambda value: 255 if value > by else 0)
    data = mask.tobytes()
    width = image.size[0]
    found = [divmod(index, width) for index, value in enumerate(data) if value]
    assert found, "nothing is brighter"
    return len(found), (sum(x for _, x in found) / len(found) + 0.5, sum(y for y, _ in found) / len(found) + 0.5)


def color(page, point):
    """The color of the photo on the screen at a point, in fractions of it."""
    return page.run("""
      const canvas = document.querySelector('.stage canvas');
      const copy = document.createElement('canvas');
      [copy.width, copy.height] = [canvas.width, canvas.height];
      const context = copy.getContext('2d');
      context.drawImage(canvas, 0, 0);
      const [x, y] = arguments[0];
      return [...context.getImageData(
        Math.floor(x * copy.width), Math.floor(y * copy.height), 1, 1).data].slice(0, 3)""", point)


def becomes(page, point, condition, what):
    """Waits until the color at a point of the photo is as expected; returns it."""
    try:
        until(lambda: condition(*color(page, point)), what)
    except AssertionError:
        raise AssertionError(f"{what}: {color(page, point)} at {point}") from None
    return color(page, point)


def is_gray(*found):
    return found == GRAY


def is_bright(red, green, blue):
    return red == green == blue > GRAY[0] + 15


def note(page):
    return page.text(".retouch-note")


@scenario("what is painted is where it was painted, whatever geometry the edit has, also when it is zoomed")
def _(work):
    for number, geometry in enumerate(GEOMETRY):
        photo = plain(work, f"geometry-{number}.png")
        work.run("apply", *(word for item in geometry for word in ("--filter", item)), photo)
        before = edited(photo)
        with EditorPage(work, width=1440, height=1000) as page:
            page.open(work.serve(photo).link)
            opened(page)
            slider(page, "Size", 50)
            slider(page, "Softness", 0)
            page.act(lambda: painted(page, (0.4, 0.55)))
            page.save()
            first = edited(photo)
            _, (x, y) = brightened(first, before)
            away = math.hypot(x - 0.4 * before.size[0], y - 0.55 * before.size[1])
            assert away < 3, f"{geometry}: {away} pixels away"
            # Larger than the window, around a point that is not in the middle.
            page.run("document.activeElement.blur()")
            page.act(lambda: page.keys("1", "="))
            page.run_async("requestAnimationFrame(() => requestAnimationFrame(arguments[0]))")
            left, top, width, height = box(page, ".frame")
            view = [((700 - left) / width, (300 - top) / height), ((760 - left) / width, (300 - top) / height)]
            page.act(lambda: painted(page, *view))
            page.save()
            _, (x, y) = brightened(edited(photo), first)
            middle = [sum(values) / 2 * side for values, side in zip(zip(*view), before.size)]
            away = math.hypot(x - middle[0], y - middle[1])
            assert away < 3, f"{geometry}: {away} pixels away when it is zoomed"
            equal(page.errors(), [], "console errors")


@scenario("the circle at the pointer has the size of the brush, and what it paints")
def _(work):
    photo = plain(work)
    with EditorPage(work, width=1440, height=1000) as page:
        page.open(work.serve(photo).link)
        opened(page)
        slider(page, "Softness", 0)

        def reach():
            pointed(page, "mouseMoved", *on_screen(page, [(0.5, 0.5)])[0], pressed=False)
            return page.run("""const box = document.querySelector('.brush-aim').getBBox();
              return [box.width, box.height].map(Math.round)""")

        equal(page.run("return getComputedStyle(document.querySelector('.brush-board')).cursor"), "none", "cursor")
        scale = box(page, ".frame")[2] / SIZE[0]
        first = reach()
        equal(first[0], first[1], "a circle")
        page.keys("]", "]", "]")
        larger = reach()
        assert abs(larger[0] / first[0] - 1.15 ** 3) < 0.05, f"{first} {larger}"
        page.keys("}", "{", "{")
        page.act(lambda: painted(page, (0.5, 0.5)))
        page.save()
        (stroke,) = strokes(work, photo)
        equal(stroke["hardness"], 0.8, "hardness by keys")
        assert abs(2 * stroke["radius"] * SIZE[0] * scale - larger[0]) < 2, f"{stroke} {larger}"
        # A soft edge is brightened a little less far than the brush reaches.
        pixels, _ = brightened(edited(photo), by=2)
        radius = math.sqrt(pixels / math.pi)
        assert 0.85 < radius / (stroke["radius"] * SIZE[0]) < 1.05, f"{radius} {stroke}"
        page.act(lambda: page.keys("1", "="))
        equal([round(value / larger[0], 1) for value in reach()], [round(1.5 / scale, 1)] * 2, "zoomed")
        equal(page.errors(), [], "console errors")


@scenario("strokes are erased, undone one by one, cleared, and there again when the edit is opened again")
def _(work):
    photo = plain(work)
    with EditorPage(work, width=1440, height=1000) as page:
        server = work.serve(photo)
        page.open(server.link)
        opened(page)
        equal(note(page), "Paint on the photo", "the note")
        becomes(page, (0.5, 0.5), is_gray, "an empty mask")
        page.act(lambda: painted(page, (0.2, 0.3), (0.5, 0.3), (0.8, 0.3)))
        becomes(page, (0.5, 0.3), is_bright, "painted")
        page.act(lambda: painted(page, (0.5, 0.1), (0.5, 0.3), (0.5, 0.5), modifiers=ALT))
        becomes(page, (0.5, 0.3), is_gray, "erased with Alt")
        becomes(page, (0.25, 0.3), is_bright, "not erased")
        page.keys("x")
        equal(page.run("return document.querySelector('.retouch-bar [value=erase]').checked"), True, "erasing by key")
        page.act(lambda: painted(page, (0.25, 0.3)))
        becomes(page, (0.25, 0.3), is_gray, "erased in the mode")
        equal(note(page), "3 strokes", "strokes")
        page.keys("x")
        undo, redo = ('.bar [aria-label="Undo"]', '.bar [aria-label="Redo"]')
        page.act(lambda: page.click(undo))
        becomes(page, (0.25, 0.3), is_bright, "a stroke is one step")
        equal(note(page), "2 strokes", "a stroke is one step")
        page.act(lambda: page.click(undo))
        page.act(lambda: page.click(undo))
        becomes(page, (0.3, 0.3), is_gray, "all is undone")
        equal(note(page), "Paint on the photo", "after undo")
        for _ in range(3):
            page.act(lambda: page.click(redo))
        equal(note(page), "3 strokes", "after redo")
        page.save()
        found = strokes(work, photo)
        equal([stroke.get("erase", False) for stroke in found], [False, True, True], "what erases")
        equal([len(stroke["points"]) for stroke in found], [2, 2, 1], "a line needs its ends")
        from selenium.webdriver.common.keys import Keys
        page.keys(Keys.ESCAPE)
        until(lambda: not page.all(".brush-board"), "the end of the tool")
        page.driver.refresh()
        page.painted()
        if page.all(f"{MASKS} [aria-expanded=false]"):
            page.run(f"document.querySelector('{MASKS} .disclosure').click()")
        opened(page, f"{MASKS} .local .tool[aria-pressed]")
        equal(note(page), "3 strokes", "opened again")
        becomes(page, (0.5, 0.3), is_gray, "erased, opened again")
        becomes(page, (0.4, 0.3), is_bright, "opened again")
        page.act(lambda: painted(page, (0.5, 0.8)))
        equal(note(page), "4 strokes", "one more")
        assert "1 unsaved change" in page.text(".bar .subtitle"), page.text(".bar .subtitle")
        page.act(lambda: page.click(".retouch-bar [title='Remove all strokes']"))
        becomes(page, (0.4, 0.3), is_gray, "cleared")
        equal(note(page), "Paint on the photo", "cleared")
        page.act(lambda: page.click(undo))
        equal(note(page), "4 strokes", "cleared and undone")
        equal(page.errors(), [], "console errors")


@scenario("the keyboard alone paints dabs and lines, erases, and says what it does")
def _(work):
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.keys import Keys
    photo = plain(work)
    with EditorPage(work, width=1440, height=1000) as page:
        page.open(work.serve(photo).link)
        page.run(f"document.querySelector('{MASKS} .disclosure').click()")
        page.run("document.querySelector(arguments[0]).focus()", BRUSH)
        page.act(lambda: page.keys(Keys.ENTER))
        until(lambda: page.run("return document.activeElement.ariaLabel") == "Brush", "the focus")
        described = page.run("""const own = document.activeElement;
          return document.getElementById(own.getAttribute('aria-describedby')).textContent""")
        assert "Space paints while held" in described, described
        equal(page.run("return document.activeElement.getAttribute('aria-valuetext')"),
              "Paint, 600, 400 px, radius 60 px", "what is said of the brush")
        assert page.run("return document.querySelector('.brush-aim').getAttribute('d')"), "the circle"
        page.act(lambda: page.keys(Keys.SPACE))
        equal(note(page), "1 stroke", "a dab")
        page.keys(*[Keys.ARROW_UP] * 8)
        page.act(lambda: ActionChains(page.driver).key_down(Keys.SPACE).send_keys(*[Keys.ARROW_RIGHT] * 4)
                 .key_up(Keys.SPACE).perform())
        equal(note(page), "2 strokes", "a line while Space is held")
        page.keys(*[Keys.ARROW_DOWN] * 4)
        page.keys(Keys.ENTER)
        equal(note(page), "Painting…", "while it paints")
        page.act(lambda: page.keys(*[Keys.ARROW_LEFT] * 3))
        page.act(lambda: page.keys(Keys.ENTER))
        equal(note(page), "3 strokes", "a line by Enter")
        page.keys("x")
        page.act(lambda: page.keys(Keys.SPACE))
        page.keys(Keys.ENTER, Keys.ARROW_UP)
        page.act(lambda: page.keys(Keys.ESCAPE))
        equal([note(page), bool(page.all(".brush-board"))], ["4 strokes", True], "Escape takes back the stroke")
        page.keys(Keys.ENTER, Keys.ARROW_UP)
        page.act(lambda: page.chord(Keys.CONTROL, "z"))
        equal(note(page), "4 strokes", "undo takes back the stroke that is painted, and no other")
        page.keys(Keys.ESCAPE)
        until(lambda: not page.all(".brush-board"), "the end of the tool")
        page.save()
        found = strokes(work, photo)
        equal([[[round(x * SIZE[0]), round(y * SIZE[1])] for x, y in stroke["points"]] for stroke in found],
              [[[600, 400]], [[600, 160], [720, 160]], [[720, 280], [630, 280]], [[630, 280]]], "the strokes")
        equal(found[3]["erase"], True, "erased")
        equal(page.errors(), [], "console errors")


@scenario("one finger paints, two fingers zoom and leave no stroke")
def _(work):
    photo = plain(work)
    with EditorPage(work, width=1000, height=900) as page:
        page.driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": True, "maxTouchPoints": 2})

        def touch(kind, *points):
            page.driver.execute_cdp_cmd("Input.dispatchTouchEvent", {
                "type": kind, "touchPoints": [{"x": x, "y": y, "id": index} for index, (x, y) in enumerate(points)]})

        page.open(work.serve(photo).link)
        opened(page)
        points = on_screen(page, [(0.3, 0.4), (0.4, 0.4), (0.5, 0.4), (0.6, 0.4)])

        def stroke():
            touch("touchStart", points[0])
            for point in points[1:]:
                touch("touchMove", point)
            touch("touchEnd")

        page.act(stroke)
        equal(note(page), "1 stroke", "painted by a finger")
        page.act(lambda: (touch("touchStart", points[0]), touch("touchEnd")))
        equal(note(page), "2 strokes", "a dab by a finger")

        def pinch():
            a, b = points[1], points[2]
            touch("touchStart", a)
            touch("touchStart", a, b)
            for step in range(1, 8):
                touch("touchMove", (a[0] - 20 * step, a[1]), (b[0] + 20 * step, b[1]))
            touch("touchEnd")

        page.act(pinch)
        equal([note(page), page.run("return document.querySelector('.stage').dataset.zoomed")], ["2 strokes", "true"],
              "two fingers")
        view = [((400 - box(page, ".frame")[0]) / box(page, ".frame")[2],
                 (400 - box(page, ".frame")[1]) / box(page, ".frame")[3])]
        page.act(lambda: (touch("touchStart", (400, 400)), touch("touchEnd")))
        equal(note(page), "3 strokes", "a finger on the zoomed photo")
        page.save()
        found = strokes(work, photo)
        for x, y in found[0]["points"]:
            assert 0.29 < x < 0.61 and abs(y - 0.4) < 0.01, found[0]
        equal([round(value, 2) for value in found[2]["points"][0]], [round(value, 2) for value in view[0]], "the dab")
        equal(page.errors(), [], "console errors")


@scenario("the pressure of a pen makes a stroke narrow and wide, and Space moves the zoomed photo")
def _(work):
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.keys import Keys
    photo = plain(work)
    with EditorPage(work, width=1440, height=1000) as page:
        page.open(work.serve(photo).link)
        opened(page)
        page.act(lambda: painted(page, (0.2, 0.5), (0.5, 0.5), (0.8, 0.5), pen=(0.2, 0.2, 0.9)))
        page.act(lambda: page.keys("1", "="))
        before = box(page, ".frame")[:2]

        def pan():
            ActionChains(page.driver).key_down(Keys.SPACE).perform()
            pointed(page, "mousePressed", 600, 400)
            pointed(page, "mouseMoved", 560, 430)
            pointed(page, "mouseReleased", 560, 430, pressed=False)
            ActionChains(page.driver).key_up(Keys.SPACE).perform()

        page.act(pan)
        equal([b - a for a, b in zip(before, box(page, ".frame"))], [-40, 30], "the photo is moved")
        equal(note(page), "1 stroke", "without a stroke")
        page.save()
        (stroke,) = strokes(work, photo)
        pressures = [point[2] for point in stroke["points"]]
        equal([min(pressures), max(pressures)], [0.2, 0.9], "pressures")
        image = edited(photo)
        heights = [sum(image.getpixel((x, y))[0] > GRAY[0] + 2 for y in range(SIZE[1])) for x in (400, 950)]
        assert heights[1] > 3 * heights[0] > 0, heights
        equal(page.errors(), [], "console errors")


@scenario("two sliders share a painted mask, and the overlay shows it while it is painted")
def _(work):
    photo = plain(work)
    with EditorPage(work, width=1440, height=1000) as page:
        page.open(work.serve(photo).link)
        opened(page)
        page.act(lambda: painted(page, (0.3, 0.5), (0.5, 0.5)))
        from selenium.webdriver.common.keys import Keys
        field = page.one(f"{MASKS} [data-filter='whiteBalance'] input.number[data-key=temperature]")
        page.run("arguments[0].scrollIntoView({block: 'nearest'})", field)
        field.click()
        field.send_keys(Keys.CONTROL, "a")
        page.act(lambda: field.send_keys("9000", Keys.ENTER))

        def is_warm(red, green, blue):
            return red > blue + 10 and red < green + 60

        def is_covered(red, green, _):
            return red > green + 60

        becomes(page, (0.4, 0.5), is_warm, "two sliders")
        page.run("document.activeElement.blur()")
        page.act(lambda: page.keys("o"))
        becomes(page, (0.4, 0.5), is_covered, "the overlay")
        becomes(page, (0.7, 0.5), is_gray, "outside")
        # Not yet released: the overlay follows, and so does the photo without it.
        page.act(lambda: painted(page, (0.6, 0.5), (0.8, 0.5), ends=False))
        becomes(page, (0.7, 0.5), is_covered, "the overlay while it is painted")
        page.act(lambda: page.keys("o"))
        becomes(page, (0.7, 0.5), is_warm, "the photo while it is painted")
        pointed(page, "mouseReleased", *on_screen(page, [(0.8, 0.5)])[0], pressed=False)
        until(lambda: note(page) == "2 strokes", "the stroke")
        equal(page.run("return document.querySelector('.brush-trace').getAttribute('d')"), "", "the trace is gone")
        page.save()
        nodes = stored(work, photo)["nodes"]
        (mask,) = [node["id"] for node in nodes if node["filter"] == "mask.brush"]
        equal(sorted(node["filter"] for node in nodes if node.get("mask") == mask), ["exposure", "whiteBalance"],
              "filters with the mask")
        equal(page.errors(), [], "console errors")


@scenario("a long scribble stays within what a mask can have")
def _(work):
    photo = plain(work)
    with EditorPage(work, width=1440, height=1000) as page:
        page.open(work.serve(photo).link)
        opened(page)
        slider(page, "Size", 20)

        def scribble(count):
            """Paints a stroke at once; returns the messages, which are gone after a while."""
            return page.run("""
              const board = document.querySelector('.brush-board');
              const box = board.getBoundingClientRect();
              const send = (type, index) => {
                const [x, y] = [0.5 + 0.45 * Math.sin(index * 0.71), 0.5 + 0.45 * Math.cos(index * 0.53)];
                board.dispatchEvent(new PointerEvent(type, { bubbles: true, pointerId: 1, pointerType: 'mouse',
                  clientX: box.left + x * box.width, clientY: box.top + y * box.height }));
              };
              board.setPointerCapture = () => {};
              send('pointerdown', 0);
              for (let index = 1; index < arguments[0]; index += 1) send('pointermove', index);
              send('lostpointercapture', arguments[0] - 1);
              return document.querySelector('#messages').textContent""", count)

        page.act(lambda: scribble(3000))
        equal(note(page), "1 stroke", "a long stroke")
        shown = scribble(25000)
        assert "at most 512 strokes and 20,000 points" in shown, f"the messages: {shown}"
        page.save()
        found = strokes(work, photo)
        equal(len(found), 2, "strokes")
        assert 18000 < sum(len(stroke["points"]) for stroke in found) <= 20000, [len(item["points"]) for item in found]
        page.run("document.activeElement.blur()")
        painted(page, (0.5, 0.5))
        equal(note(page), "2 strokes", "no more")
        equal(page.errors(), [], "console errors")


@scenario("a brush and what it exposes are one change and one filter")
def _(work):
    photo = plain(work)
    subtitle = "return document.querySelector('.bar .subtitle').textContent"
    with EditorPage(work, width=1440) as page:
        page.open(work.serve(photo).link)
        opened(page)
        page.act(lambda: painted(page, (0.3, 0.3), (0.6, 0.3)))
        equal(page.run(subtitle), "Not edited · 1 unsaved change", "a brush")
        page.save()
        until(lambda: page.run(subtitle) == "1 filter saved", f"saved: {page.run(subtitle)}")
        page.act(lambda: painted(page, (0.3, 0.6), (0.6, 0.6)))
        equal(page.run(subtitle), "1 filter saved · 1 unsaved change", "another stroke")
        equal(page.errors(), [], "console errors")


@scenario("the members of a group made on the command line are shown, changed, and stay with their masks")
def _(work):
    photo = plain(work)
    filters = ["mask.linear:id=sky", "mask.radial:id=face", "mask.radial:id=tree,center=0.2:0.5",
               "mask.group:id=g,in=sky:face:tree,members=add=Sky/subtract:0.5/intersect:invert",
               "exposure:ev=1,mask=g"]
    work.run("apply", *(word for item in filters for word in ("--filter", item)), photo)
    with EditorPage(work, width=1440, height=1000) as page:
        page.open(work.serve(photo).link)
        members = "[data-parameter='members'] .point"
        page.run("for (const button of document.querySelectorAll('.disclosure[aria-expanded=false]')) button.click()")
        until(lambda: len(page.all(members)) >= 3, "a row for each member")
        choice = f"{members}:nth-child(2) select"
        equal(page.run(f"return document.querySelector(\"{choice}\").value"), "subtract", "the operation")
        page.act(lambda: page.run(f"""const choice = document.querySelector("{choice}");
          choice.value = 'intersect'; choice.dispatchEvent(new Event('change'))"""))
        page.save()
        group = next(node for node in stored(work, photo)["nodes"] if node["id"] == "g")
        equal(group["params"]["members"], [
            {"op": "add", "name": "Sky"}, {"op": "intersect", "opacity": 0.5}, {"op": "intersect", "invert": True},
        ], "the members")
        equal(page.errors(), [], "console errors")


@scenario("masks are within the panel of what they limit, and members within their group, in its order")
def _(work):
    photo = plain(work)
    # One is a member twice.
    filters = ["mask.radial:id=face", "mask.linear:id=sky", "mask.invert:id=rest,in=face",
               "mask.group:id=g,in=sky:rest:rest,members=add/subtract/subtract", "exposure:ev=1,mask=g", "sepia:mask=sky"]
    work.run("apply", *(word for item in filters for word in ("--filter", item)), photo)
    nested = """const within = (place) => [...place?.children ?? []].map((panel) =>
        [panel.dataset.node, ...within(panel.querySelector(':scope > .panel-body > .mask-slot'))]);
      return within(document.querySelector('.panel-list'))"""
    with EditorPage(work, width=1440, height=1000) as page:
        page.open(work.serve(photo).link)
        until(lambda: page.all(".panel-list > .panel"), "the list of filters")
        limiting, limited, toned = [
            node["id"] for node in stored(work, photo)["nodes"] if node["filter"] in ("mask.group", "exposure", "sepia")]
        found = page.run(nested)
        equal(found, [[limited, [limiting, ["rest", ["face"]]]], [toned, ["sky"]]], "what is within what")
        shown = "return [...document.querySelectorAll('.panel-list .panel')].filter((item) => item.checkVisibility())" \
                ".map((item) => item.dataset.node)"
        panel = f".panel[data-node='{limited}']"
        equal(page.run(f"return document.querySelector(`{panel} .disclosure`).ariaExpanded"), "false", "closed")
        equal(page.run(shown), [limited, toned, "sky"], "a closed panel has its masks with it")
        marks = "return [...document.querySelectorAll('.panel-list > .panel > .panel-head .masked')].map((mark) => mark.title)"
        equal(page.run(marks), ["Mask group", "Linear mask"], "what limits the filters")
        page.click(f"{panel} .disclosure")
        equal(page.run(shown), [limited, limiting, "rest", "face", toned, "sky"], "an open one shows them")
        page.click(f".panel[data-node='{toned}'] > .panel-head [aria-haspopup]")
        page.act(lambda: page.click(".menu button:has([data-symbol=trash])"))
        until(lambda: page.run(nested) == [[limited, [limiting, ["sky"], ["rest", ["face"]]]]], page.run(nested))
        page.act(lambda: page.click('.bar [aria-label="Undo"]'))
        until(lambda: page.run(nested) == found, page.run(nested))
        equal(page.errors(), [], "console errors")


@scenario("a mask is taken away from another one, named, placed, taken out, and removed with what it limits")
def _(work):
    from selenium.webdriver.common.keys import Keys
    photo = plain(work)
    members = f"{MASKS} .member"

    def joined(page, way, kind):
        page.click(f"{MASKS} .tool[aria-haspopup]:has([data-symbol={way}])")
        until(lambda: page.all(".menu button"), "the menu")
        page.act(lambda: next(item for item in page.all(".menu button") if item.text == kind).click())

    with EditorPage(work, width=1440, height=1000) as page:
        page.open(work.serve(photo).link)
        opened_with = f"{MASKS} .tool[data-filter='mask.linear']"
        page.run(f"document.querySelector('{MASKS} .disclosure').click()")
        page.act(lambda: page.click(opened_with))
        becomes(page, (0.5, 0.95), is_bright, "a gradient")
        until(lambda: page.all(f"{MASKS} .tool[aria-haspopup]"), "the buttons")
        joined(page, "minus", "Radial")
        until(lambda: len(page.all(members)) == 2, "a row for each")
        equal(page.run("return document.querySelector('.stage').dataset.tool"), "mask.radial", "the tool")
        becomes(page, (0.5, 0.5), is_gray, "taken away")
        becomes(page, (0.5, 0.98), is_bright, "what is left")
        # What is seen of a member is its group.
        page.act(lambda: page.keys("o"))
        until(lambda: color(page, (0.5, 0.98))[0] > color(page, (0.5, 0.98))[1] + 60, "the mask in red")
        becomes(page, (0.5, 0.5), is_gray, "what the group leaves out")
        page.act(lambda: page.keys("o"))
        pressed = f"return [...document.querySelectorAll('{members} [aria-pressed]')].map((item) => item.ariaPressed)"
        equal(page.run(pressed), ["false", "true"], "the member on the photo")
        page.click(f"{members}:first-child [aria-pressed]")
        until(lambda: page.run(pressed) == ["true", "false"], "the other member on the photo")
        name = page.one(f"{members}:nth-child(2) input[placeholder]")
        equal(name.get_attribute("placeholder"), "2 Radial", "a member without a name")
        name.click()
        name.send_keys("The sun, " + "\u00fc" * 60, Keys.TAB)
        until(lambda: page.run("return document.activeElement.matches('.member button')"), "the focus goes on")
        page.save()
        nodes = {node["id"]: node for node in stored(work, photo)["nodes"]}
        (group,) = [node for node in nodes.values() if node["filter"] == "mask.group"]
        equal(group["params"]["members"], [{"op": "add"}, {"op": "subtract", "name": "The sun, " + "\u00fc" * 45}],
              "the members")
        equal([nodes[item]["filter"] for item in group["in"]], ["mask.linear", "mask.radial"], "their masks")
        equal([node["filter"] for node in nodes.values() if node.get("mask") == group["id"]], ["exposure"], "limited")
        page.run("document.activeElement.blur()")
        joined(page, "plus", "Brush")
        until(lambda: page.all(".brush-board"), "the brush")
        page.act(lambda: painted(page, (0.4, 0.5), (0.6, 0.5)))
        becomes(page, (0.5, 0.5), is_bright, "painted where it was taken away")
        page.act(lambda: page.click(f"{members}:nth-child(3) button[aria-label$=Remove]"))
        becomes(page, (0.5, 0.5), is_gray, "without the brush")
        page.act(lambda: page.click(f"{members}:nth-child(2) button[aria-label$=Remove]"))
        until(lambda: not page.all(members), "one mask is no group")
        becomes(page, (0.5, 0.9), is_bright, "the gradient alone")
        page.act(lambda: page.click('.bar [aria-label="Undo"]'))
        until(lambda: len(page.all(members)) == 2, "one step brings the group back")
        page.act(lambda: page.click(f"{MASKS} .tool[title^='Remove the mask']"))
        page.save()
        equal(stored(work, photo)["nodes"] if "Not edited" != page.text(".bar .subtitle") else [], [], "nothing is left")
        equal(page.errors(), [], "console errors")


if __name__ == "__main__":
    require()
    sys.exit(scenario.run(sys.argv[1:]))
