#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The tools that retouch, and the sliders of masks, and what the command line finds afterwards.

Usage: retouching.py [WORD...]   run the scenarios whose name contains a word (default: all)
"""

import math
import sys

from adjusting import box
from browser import require
from harness import Checks, equal, until
from scenarios import EditorPage, stored

scenario = Checks()

SIZE = (1200, 800)
# The blemishes of the test photo: center and radius.
BLEMISHES = ((300, 200, 12), (840, 500, 16), (660, 320, 10))
RETOUCH = ".adjust-section[data-section=Retouch]"


def blemished(work, name="blemished.png", color=(60, 10, 10), background=None):
    """A photo of a soft gradient with dark discs on it."""
    from PIL import Image, ImageDraw
    image = Image.new("RGB", SIZE)
    image.putdata([background or (90 + x // 12, 120 + y // 16, 140) for y in range(SIZE[1]) for x in range(SIZE[0])])
    draw = ImageDraw.Draw(image)
    for x, y, radius in BLEMISHES:
        draw.ellipse((x - radius, y - radius, x + radius, y + radius), fill=color)
    path = work.path / name
    image.save(path)
    return path


def spots(graph, mode="heal"):
    """The spots of an edit in pixels: x, y, radius, and those of the source."""
    numbers = next((node["params"]["spots"] for node in graph["nodes"]
                    if node["filter"] == "heal" and node["params"]["mode"] == mode), [])
    scales = (SIZE[0], SIZE[1], SIZE[0], SIZE[0], SIZE[1])
    return [tuple(value * scale for value, scale in zip(numbers[at:at + 5], scales)) for at in range(0, len(numbers), 5)]


def clicked(page, x, y):
    """Clicks on a point of what is shown, in fractions of it."""
    from selenium.webdriver.common.action_chains import ActionChains
    left, top, width, height = box(page, ".frame")
    at = round(left + x * width), round(top + y * height)
    ActionChains(page.driver, duration=20).move_by_offset(*at).click().move_by_offset(-at[0], -at[1]).perform()


def opened(page, action):
    """Opens the tool; its bar makes the photo smaller."""
    page.act(action)
    until(lambda: page.all(".spot-board"), "the tool")
    page.run_async("requestAnimationFrame(() => requestAnimationFrame(arguments[0]))")


def handles(page):
    return page.run("""return [...document.querySelectorAll('.retouch [role=slider]')]
      .filter((handle) => handle.checkVisibility()).map((handle) => handle.ariaLabel)""")


def text_of(page, name):
    return page.run("return document.querySelector(`.retouch [aria-label='${arguments[0]}']`)"
                    "?.getAttribute('aria-valuetext')", name)


def seen(page):
    """Where dark discs are on the screen, as the browser paints them: their centers in fractions."""
    return page.run("""
      const canvas = document.querySelector('.stage canvas');
      const copy = document.createElement('canvas');
      [copy.width, copy.height] = [canvas.width, canvas.height];
      const context = copy.getContext('2d');
      context.drawImage(canvas, 0, 0);
      const { data, width, height } = context.getImageData(0, 0, copy.width, copy.height);
      const found = [];
      for (let y = 0; y < height; y += 1) for (let x = 0; x < width; x += 1) {
        const at = 4 * (y * width + x);
        if (data[at + 1] > 60 || data[at + 2] > 70 || data[at] < 30) continue;
        const disc = found.find((item) => Math.hypot(item.x / item.n - x, item.y / item.n - y) < 30);
        if (disc) { disc.x += x; disc.y += y; disc.n += 1; } else found.push({ x, y, n: 1 });
      }
      return found.filter(({ n }) => n > 20)
        .map((item) => [(item.x / item.n + 0.5) / width, (item.y / item.n + 0.5) / height]);
    """)


# The geometry of an edit, each with the number of blemishes that are in what it shows.
GEOMETRY = (
    ("crop:x=0.2,y=0.1,w=0.55,h=0.8", "rotate90:turns=1"),
    ("straighten:angle=-12", "flip:axis=horizontal"),
    ("perspective:tl=0.1:0.05,tr=0.95:0,br=1:1,bl=0:0.9", "rotate90:turns=3", "pad:top=60,right=30,bottom=0,left=90"),
    ("resize:width=600,height=700", "crop:x=100,y=150,w=450,h=420,unit=pixels"),
    ("straighten:angle=20,fit=expand,color=#ffffff", "orient:exif=5", "straighten:angle=5,fit=maxArea"),
)


@scenario("a click heals what is there, whatever geometry the edit has")
def _(work):
    for number, geometry in enumerate(GEOMETRY):
        photo = blemished(work, f"geometry-{number}.png")
        work.run("apply", *(word for item in geometry for word in ("--filter", item)), photo)
        with EditorPage(work, width=1440, height=1000) as page:
            page.open(work.serve(photo).link)
            before = seen(page)
            assert before, f"{geometry}: no blemish is shown"
            opened(page, lambda: page.keys("r"))
            for x, y in before:
                page.act(lambda: clicked(page, x, y))
            until(lambda: f"Spot {len(before)} of" in page.text(".retouch-note"), "the spots")
            page.act(lambda: page.keys("]", "]", "]"))
            equal(len(handles(page)), len(before) + 3, f"{geometry}: handles")
            page.save()
            graph = stored(work, photo)
            for x, y, _, source_x, source_y in spots(graph):
                nearest = min(math.hypot(x - bx, y - by) for bx, by, _ in BLEMISHES)
                assert nearest < 3, f"{geometry}: {x}, {y} is {nearest} pixels from a blemish"
                free = min(math.hypot(source_x - bx, source_y - by) - radius for bx, by, radius in BLEMISHES)
                assert free > 12, f"{geometry}: the source of {x}, {y} is {free} pixels from a blemish"
            equal(seen(page), [], f"{geometry}: what is left")
            equal(page.errors(), [], "console errors")


@scenario("spots are moved, sized, cloned and removed by the pointer, and each step is undone")
def _(work):
    from selenium.webdriver.common.action_chains import ActionChains
    photo = blemished(work)
    with EditorPage(work, width=1440, height=1000) as page:
        page.open(work.serve(photo).link)
        page.run(f"document.querySelector('{RETOUCH} .disclosure').click()")
        opened(page, lambda: page.click(f"{RETOUCH} .tool[data-filter=heal]"))
        for x, y, _ in BLEMISHES[:2]:
            page.act(lambda: clicked(page, x / SIZE[0], y / SIZE[1]))
        equal(page.text(f"{RETOUCH} .caption"), "2 spots", "the count")
        first = [text_of(page, name) for name in ("Spot 2", "Source of spot 2", "Size of spot 2")]
        assert "Heal, 840, 500 px" in first[0], first[0]
        scale = box(page, ".frame")[2] / SIZE[0]
        page.act(lambda: page.drag(".spot-source", round(60 * scale), round(30 * scale)))
        assert text_of(page, "Source of spot 2") != first[1], "the source stays"
        equal([text_of(page, "Spot 2"), text_of(page, "Size of spot 2")], [first[0], first[2]], "the spot")
        page.act(lambda: page.drag(".spot-center[data-selected=true]", 40, 0))
        moved = int(text_of(page, "Spot 2").split(", ")[1])
        assert abs(moved - 840 - 40 / scale) < 3, f"moved to {moved}"
        page.act(lambda: page.drag(".spot-radius", 30, 0))
        page.act(lambda: page.drag(".spot-radius", -30, 0))
        wheel = page.one(".spot-center[data-selected=true]")
        page.act(lambda: ActionChains(page.driver).scroll_from_origin(origin(wheel), 0, -400).perform())
        assert int(text_of(page, "Size of spot 2").split()[0]) > int(first[2].split()[0]) * 1.5, "the wheel"
        page.act(lambda: page.click(".retouch-bar [value=clone] + span"))
        assert text_of(page, "Spot 2").startswith("Clone"), text_of(page, "Spot 2")
        page.act(lambda: page.click(".retouch-bar .button:not(.primary)"))
        equal(page.text(f"{RETOUCH} .caption"), "1 spot", "the count")
        undo = '.bar [aria-label="Undo"]'
        page.act(lambda: page.click(undo))
        page.act(lambda: page.click(undo))
        assert text_of(page, "Spot 2").startswith("Heal"), "the method after undo"
        while page.run("return !document.querySelector(arguments[0]).disabled", undo):
            page.click(undo)
        equal([page.text(".bar .subtitle"), handles(page)], ["Not edited", ["New spot"]], "all is undone")
        for _ in range(2):
            page.act(lambda: page.click('.bar [aria-label="Redo"]'))
        equal(text_of(page, "Spot 2"), first[0], "after redo")
        page.act(lambda: page.click(f'{RETOUCH} [aria-label="Reset Retouch"]'))
        equal(page.text(".bar .subtitle"), "Not edited", "after the reset")
        equal(page.errors(), [], "console errors")


def origin(element):
    from selenium.webdriver.common.actions.wheel_input import ScrollOrigin
    return ScrollOrigin.from_element(element)


@scenario("the keyboard alone places, moves, sizes and removes spots, also on a part of the photo")
def _(work):
    from selenium.webdriver.common.keys import Keys
    photo = blemished(work)

    def focused():
        return page.run("return document.activeElement.ariaLabel")

    with EditorPage(work, width=1440, height=1000) as page:
        page.open(work.serve(photo).link)
        page.act(lambda: page.keys("1"))
        page.keys("r")
        until(lambda: focused() == "New spot", "the focus")
        assert page.run("return document.querySelector('.stage').dataset.zoomed") == "true", "the tool ends the zoom"
        page.keys(*[Keys.ARROW_RIGHT] * 3, Keys.ARROW_DOWN)
        equal(text_of(page, "New spot"), "627, 409 px", "after the arrow keys")
        page.act(lambda: page.keys(Keys.ENTER))
        until(lambda: focused() == "Spot 1", "the new spot has the focus")
        radius = int(text_of(page, "Size of spot 1").split()[0])
        page.act(lambda: page.keys(Keys.ARROW_LEFT))
        page.act(lambda: page.chord(Keys.SHIFT, Keys.ARROW_UP))
        equal(text_of(page, "Spot 1").split(", ")[1:3], ["626", "399 px"], "moved by keys")
        page.act(lambda: page.keys("]", "]"))
        assert int(text_of(page, "Size of spot 1").split()[0]) > radius, "a larger spot"
        before = text_of(page, "Source of spot 1")
        page.keys(Keys.TAB)
        equal(focused(), "Source of spot 1", "the focus")
        page.act(lambda: page.keys(*[Keys.ARROW_DOWN] * 3))
        assert text_of(page, "Source of spot 1") != before, "the source by keys"
        page.keys(Keys.TAB)
        equal(focused(), "Size of spot 1", "the focus")
        page.act(lambda: page.keys(*[Keys.ARROW_RIGHT] * 4))
        page.run("document.querySelector('.spot-next').focus()")
        # Out of the window: what has the focus is panned into it.
        page.keys(*[Keys.ARROW_LEFT] * 60, *[Keys.ARROW_UP] * 50)
        page.act(lambda: page.keys(Keys.ENTER))
        until(lambda: focused() == "Spot 2", "the second spot has the focus")
        page.chord(Keys.SHIFT, Keys.TAB)
        while focused() != "Spot 1":
            page.chord(Keys.SHIFT, Keys.TAB)
        inside = page.run("""const stage = document.querySelector('.stage').getBoundingClientRect();
          const spot = document.activeElement.getBoundingClientRect();
          return spot.left > stage.left && spot.right < stage.right && spot.top > stage.top
            && spot.bottom < stage.bottom && document.querySelector('.stage').scrollLeft === 0""")
        equal(inside, True, "the spot with the focus is in the window")
        page.act(lambda: page.keys(Keys.DELETE))
        equal([focused(), handles(page)], ["New spot", ["New spot", "Spot 1"]], "after Delete")
        page.keys("[")
        equal(page.run("return document.querySelectorAll('.panel[data-filter=rotate90]').length"), 0, "rotations")
        page.keys(Keys.ESCAPE)
        until(lambda: not page.all(".spot-board"), "the end of the tool")
        page.act(lambda: page.keys("["))
        page.save()
        equal([node["filter"] for node in stored(work, photo)["nodes"]], ["heal", "rotate90"], "filters")
        equal(page.errors(), [], "console errors")


@scenario("the panel of a filter in the list has the spots of that filter, and those alone")
def _(work):
    photo = blemished(work)
    work.run("apply", "--filter", "heal:spots=0.25:0.25:0.015:0.4:0.25", "--filter", "sepia", "--filter",
             "heal:spots=0.7:0.625:0.02:0.5:0.5:0.55:0.4:0.01:0.6:0.7,mode=heal", photo)
    with EditorPage(work, width=1440, height=1000) as page:
        page.open(work.serve(photo).link)
        panel = ".panel[data-filter=heal]"
        page.click(f"{panel} .disclosure")
        opened(page, lambda: page.click(f"{panel} .tool"))
        equal(handles(page), ["New spot", "Spot 1"], "handles of the first filter")
        page.act(lambda: clicked(page, 0.8, 0.2))
        page.act(lambda: page.keys("r"))
        equal(handles(page), ["New spot", "Spot 1", "Spot 2"], "handles of the section")
        page.save()
        nodes = [node for node in stored(work, photo)["nodes"] if node["filter"] == "heal"]
        equal([len(node["params"]["spots"]) for node in nodes], [10, 10], "numbers")
        equal(nodes[1]["params"]["spots"][:3], [0.7, 0.625, 0.02], "the other filter")
        equal(page.errors(), [], "console errors")


@scenario("below the numbers of a filter, Remove takes the last spot, and then the filter")
def _(work):
    photo = blemished(work)
    numbers = [0.25, 0.25, 0.015, 0.4, 0.25, 0.7, 0.625, 0.02, 0.5, 0.5]
    work.run("apply", "--filter", "heal:spots=" + ":".join(map(str, numbers)), photo)
    with EditorPage(work, width=1440, height=1000) as page:
        page.open(work.serve(photo).link)
        panel = ".panel[data-filter=heal]"
        page.click(f"{panel} .disclosure")
        remove = f"{panel} [data-parameter=spots] .button"
        page.act(lambda: page.click(remove))
        equal(len(page.all(f"{panel} [data-parameter=spots] input")), 5, "fields")
        equal(page.run("return document.activeElement.textContent"), "Remove", "the focus")
        page.save()
        equal(stored(work, photo)["nodes"][0]["params"]["spots"], numbers[:5], "numbers")
        page.act(lambda: page.click(remove))
        until(lambda: not page.all(panel), "the filter is removed")
        equal(page.run("return document.querySelector('.stage-problem').hidden"), True, "no problem")
        equal(page.errors(), [], "console errors")


@scenario("feather and opacity are those of all spots, also of the method that is used later")
def _(work):
    photo = blemished(work)
    with EditorPage(work, width=1440, height=1000) as page:
        page.open(work.serve(photo).link)
        opened(page, lambda: page.keys("r"))
        equal(page.run("return document.querySelector('[aria-label=Feather]').disabled"), True, "without a spot")
        page.act(lambda: clicked(page, 0.25, 0.25))
        for name, value in (("Feather", 60), ("Opacity", 80)):
            page.act(lambda: page.run("""const slider = document.querySelector(`[aria-label=${arguments[0]}]`);
              slider.value = arguments[1]; slider.dispatchEvent(new Event('input'));
              slider.dispatchEvent(new Event('change'))""", name, value))
        page.click(".retouch-bar [value=clone] + span")
        page.act(lambda: clicked(page, 0.7, 0.625))
        page.save()
        nodes = stored(work, photo)["nodes"]
        equal([(node["params"]["mode"], node["params"]["feather"], node["opacity"]) for node in nodes],
              [("clone", 0.6, 0.8)], "after the only spot is cloned")
        equal(len(spots({"nodes": nodes}, "clone")), 2, "spots")
        page.act(lambda: page.click(".retouch-bar [value=heal] + span"))
        page.save()
        nodes = stored(work, photo)["nodes"]
        equal([(node["params"]["mode"], node["params"]["feather"], node["opacity"]) for node in nodes],
              [("clone", 0.6, 0.8), ("heal", 0.6, 0.8)], "both methods")
        equal(page.errors(), [], "console errors")


@scenario("a click on a red pupil finds it and removes the red")
def _(work):
    photo = blemished(work, "red.png", (190, 20, 30), (150, 120, 110))
    work.run("apply", "--filter", "exposure:ev=0.3", "--filter", "rotate90:turns=1", photo)
    with EditorPage(work, width=1440, height=1000) as page:
        page.open(work.serve(photo).link)
        page.run(f"document.querySelector('{RETOUCH} .disclosure').click()")
        opened(page, lambda: page.click(f"{RETOUCH} .tool[data-filter=redEye]"))
        # Next to the center of a pupil, which is found.
        for x, y, _ in BLEMISHES[:2]:
            page.act(lambda: clicked(page, 1 - (y + 5) / SIZE[1], (x - 4) / SIZE[0]))
        until(lambda: "Pupil 2 of 2" in page.text(".retouch-note"), "the pupils")
        equal(page.text(f"{RETOUCH} .caption"), "2 pupils", "the count")
        equal(handles(page), ["New pupil", "Pupil 1", "Pupil 2", "Size of pupil 2"], "handles")
        page.save()
        (node,) = [node for node in stored(work, photo)["nodes"] if node["filter"] == "redEye"]
        numbers = node["params"]["pupils"]
        for at, (x, y, radius) in enumerate(BLEMISHES[:2]):
            found = [value * scale for value, scale in zip(numbers[3 * at:], (SIZE[0], SIZE[1], SIZE[0]))]
            assert math.hypot(found[0] - x, found[1] - y) < 2 and radius < found[2] < 2 * radius, f"{found}"
        from PIL import Image
        red, green, _ = Image.open(next(work.path.glob("red.edited.*"))).convert("RGB").getpixel(
            (SIZE[1] - BLEMISHES[0][1], BLEMISHES[0][0]))
        assert red < green + 20, f"red {red}, green {green}"
        equal(page.errors(), [], "console errors")


@scenario("the keyboard alone places, moves, sizes and removes the discs on red pupils")
def _(work):
    from selenium.webdriver.common.keys import Keys
    photo = blemished(work, "red.png", (190, 20, 30), (150, 120, 110))

    def focused():
        return page.run("return document.activeElement.ariaLabel")

    with EditorPage(work, width=1440, height=1000) as page:
        page.open(work.serve(photo).link)
        page.run(f"document.querySelector('{RETOUCH} .disclosure').click()")
        opened(page, lambda: page.one(f"{RETOUCH} .tool[data-filter=redEye]").send_keys(Keys.ENTER))
        until(lambda: focused() == "New pupil", "the focus")
        before = text_of(page, "New pupil")
        page.keys(Keys.ARROW_RIGHT, Keys.ARROW_UP)
        assert text_of(page, "New pupil") != before, "the next disc by keys"
        page.act(lambda: page.keys(Keys.ENTER))
        until(lambda: focused() == "Pupil 1", "the new disc has the focus")
        x, y, radius = (int(part.split()[-1]) for part in
                        text_of(page, "Pupil 1").replace(" px", "").split(", "))
        page.act(lambda: page.keys(*[Keys.ARROW_RIGHT] * 3, Keys.ARROW_DOWN))
        page.act(lambda: page.keys("]", "]", "]"))
        moved = [int(part.split()[-1]) for part in
                 text_of(page, "Pupil 1").replace(" px", "").split(", ")]
        assert moved[0] > x and moved[1] > y and moved[2] > radius, f"{moved} was {x}, {y}, {radius}"
        page.keys(Keys.TAB)
        equal(focused(), "Size of pupil 1", "the focus")
        page.act(lambda: page.keys(*[Keys.ARROW_LEFT] * 3))
        page.run("document.querySelector('.spot-next').focus()")
        page.keys(*[Keys.ARROW_LEFT] * 20)
        page.act(lambda: page.keys(Keys.ENTER))
        until(lambda: focused() == "Pupil 2", "the second disc has the focus")
        equal(page.text(".retouch-note"), "Pupil 2 of 2", "what is said")
        page.act(lambda: page.keys(Keys.DELETE))
        equal([focused(), handles(page)], ["New pupil", ["New pupil", "Pupil 1"]], "after Delete")
        page.keys(Keys.ESCAPE)
        until(lambda: not page.all(".spot-board"), "the end of the tool")
        page.save()
        (node,) = stored(work, photo)["nodes"]
        equal([node["filter"], len(node["params"]["pupils"])], ["redEye", 3], "stored")
        equal(page.errors(), [], "console errors")


MASKS = ".adjust-section[data-section=Masks]"


@scenario("several sliders share a mask, each mask has its own, and one that is put back leaves nothing")
def _(work):
    photo = work.photo()

    def type_in(name, key, value):
        from selenium.webdriver.common.keys import Keys
        field = page.one(f"{MASKS} [data-filter='{name}'] input.number[data-key={key}]")
        page.run("arguments[0].scrollIntoView({block: 'nearest'})", field)
        field.click()
        shown = page.converted(name, key, value, "shown")
        page.act(lambda: field.send_keys(str(shown), Keys.ENTER))

    def value(name, key):
        return page.value(name, key, MASKS)

    def chosen():
        return page.run(f"return document.querySelector('{MASKS} [name=local-mask]:checked + span').textContent")

    with EditorPage(work, width=1440, height=1000) as page:
        page.open(work.serve(photo).link)
        page.run(f"document.querySelector('{MASKS} .disclosure').click()")
        page.act(lambda: page.click(f"{MASKS} .tool[data-filter='mask.radial']"))
        until(lambda: page.all("[aria-label='Center of the mask']"), "handles of the mask")
        equal([chosen(), value("exposure", "ev")], ["1 Radial", 0.5], "the first mask")
        type_in("saturate", "amount", 0.4)
        type_in("clarity", "amount", 0.3)
        type_in("exposure", "ev", 0)
        page.click(f"{MASKS} .local summary")
        type_in("mask.radial", "feather", 0.25)
        page.act(lambda: page.click(f"{MASKS} .tool[data-filter='mask.linear']"))
        equal([chosen(), value("saturate", "amount")], ["2 Linear", 1], "the second mask")
        type_in("exposure", "ev", -1)
        page.act(lambda: page.click(f"{MASKS} [name=local-mask] + span"))
        equal([chosen(), value("saturate", "amount"), value("exposure", "ev")], ["1 Radial", 0.4, 0], "the first")
        until(lambda: page.all("[aria-label='Center of the mask']"), "the handles follow the choice")
        page.set("exposure", "ev", 0.2)
        equal([page.value("exposure", "ev"), value("exposure", "ev")], [0.2, 0], "the whole photo")
        page.save()
        nodes = stored(work, photo)["nodes"]
        groups = {}
        for node in nodes:
            if "mask" in node:
                groups.setdefault(node["mask"], []).append((node["filter"], next(iter(node["params"].values()))))
        kinds = {node["id"]: node["filter"] for node in nodes}
        equal({kinds[mask]: [name for name, _ in group] for mask, group in groups.items()},
              {"mask.radial": ["clarity", "saturate"], "mask.linear": ["exposure"]}, "filters by mask")
        equal(next(node["params"]["feather"] for node in nodes if node["filter"] == "mask.radial"), 0.25, "shape")
        page.act(lambda: page.click(f"{MASKS} .local .tool:not([aria-pressed])"))
        equal([chosen(), page.all("[aria-label='Center of the mask']")], ["1 Linear", []], "after the removal")
        page.act(lambda: page.click('.bar [aria-label="Undo"]'))
        equal(page.run(f"return document.querySelectorAll('{MASKS} [name=local-mask]').length"), 2, "after undo")
        page.act(lambda: page.click(f'{MASKS} [aria-label="Reset Masks"]'))
        page.save()
        equal([node["filter"] for node in stored(work, photo)["nodes"]], ["exposure"], "after the reset")
        equal(page.errors(), [], "console errors")


if __name__ == "__main__":
    require()
    sys.exit(scenario.run(sys.argv[1:]))
