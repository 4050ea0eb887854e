# SPDX-License-Identifier: Apache-2.0
"""A headless Chromium with the pages of a server."""

import json
import os
import pathlib
import shutil
import sys

from harness import until


def available():
    """Indicates whether Chromium and its driver are installed."""
    try:
        import selenium  # noqa: F401
    except ImportError:
        return False
    return bool(shutil.which("chromium") and shutil.which("chromedriver"))


def require():
    """Ends the suite when there is no browser: a failure only where one is required."""
    if available():
        return
    print("SKIPPED: no chromium (apt-get install chromium chromium-driver python3-selenium)")
    sys.exit(1 if os.environ.get("PHOTOEDIT_REQUIRE_BROWSER") == "1" else 0)


# What a trace records: input, scripts, layout, painting, and the work of other threads.
TRACED = ("devtools.timeline", "disabled-by-default-devtools.timeline", "blink.user_timing",
          "v8.execute", "cc", "benchmark", "loading", "latencyInfo")


class Page:
    """One browser window."""

    # The folder for a trace of each window; the tracing costs time.
    traces = None

    def __init__(self, workspace, width=1280, height=800, scale=1, theme="dark", motion="reduce",
                 records_requests=True, switches=()):
        from selenium import webdriver
        from selenium.webdriver.chrome.options import Options
        from selenium.webdriver.chrome.service import Service

        options = Options()
        options.binary_location = shutil.which("chromium")
        options.add_argument("--headless=new")
        options.add_argument(f"--window-size={width},{height}")
        options.add_argument(f"--user-data-dir={workspace.folder('browser')}")
        options.add_argument("--disable-background-networking")
        options.add_argument("--hide-scrollbars")
        options.add_argument("--force-color-profile=srgb")
        for switch in switches:
            options.add_argument(switch)
        if os.geteuid() == 0:
            options.add_argument("--no-sandbox")
        options.set_capability("goog:loggingPrefs", {
            "browser": "ALL",
            **({"performance": "ALL"} if records_requests or self.traces else {})})
        if self.traces:
            options.add_experimental_option(
                "perfLoggingPrefs", {"traceCategories": ",".join(TRACED)})
        self.driver = webdriver.Chrome(
            service=Service(shutil.which("chromedriver")), options=options)
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": height, "deviceScaleFactor": scale, "mobile": False})
        self.media(theme, motion)
        self.messages = []

    def media(self, theme, motion="reduce"):
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [
            {"name": "prefers-color-scheme", "value": theme},
            {"name": "prefers-reduced-motion", "value": motion}]})

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            if self.traces:
                self.write_trace(pathlib.Path(self.traces))
        finally:
            self.driver.quit()

    def write_trace(self, folder):
        """Writes a file that the performance panel of Chromium opens."""
        messages = (json.loads(entry["message"])["message"]
                    for entry in self.driver.get_log("performance"))
        events = [message["params"] for message in messages
                  if message["method"] == "Tracing.dataCollected"]
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"trace-{len(list(folder.glob('trace-*.json'))) + 1}.json"
        path.write_text(json.dumps({"traceEvents": events}))
        print(f"{path}: {len(events)} events", flush=True)

    def open(self, address):
        self.driver.get(address)

    def cookie(self, server):
        """The cookie of a login, as a header field has it; its path is not that of the page."""
        cookies = self.driver.execute_cdp_cmd("Network.getAllCookies", {})["cookies"]
        (cookie,) = [cookie for cookie in cookies if cookie["domain"] == server.host]
        return f"{cookie['name']}={cookie['value']}"

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def run_async(self, script, *arguments):
        return self.driver.execute_async_script(script, *arguments)

    def all(self, selector):
        from selenium.webdriver.common.by import By
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def one(self, selector, seconds=20):
        return until(lambda: next(iter(self.all(selector)), None), f"element {selector}", seconds)

    def text(self, selector):
        return self.run("return document.querySelector(arguments[0])?.textContent ?? ''", selector)

    def click(self, selector):
        element = self.one(selector)
        self.run("arguments[0].scrollIntoView({block: 'nearest'})", element)
        element.click()

    def keys(self, *keys):
        from selenium.webdriver.common.action_chains import ActionChains
        ActionChains(self.driver).send_keys(*keys).perform()

    def chord(self, modifier, key):
        from selenium.webdriver.common.action_chains import ActionChains
        ActionChains(self.driver).key_down(modifier).send_keys(key).key_up(modifier).perform()

    def drag(self, selector, x, y=0, steps=6):
        from selenium.webdriver.common.action_chains import ActionChains
        element = self.one(selector)
        self.run("arguments[0].scrollIntoView({block: 'nearest'})", element)
        actions = ActionChains(self.driver, duration=20).move_to_element(element).click_and_hold()
        for step in range(steps):
            actions.move_by_offset(x * (step + 1) // steps - x * step // steps,
                                   y * (step + 1) // steps - y * step // steps)
        actions.release().perform()

    def errors(self):
        """The errors that the console shows, without failed requests of tested statuses."""
        self.messages += [entry for entry in self.driver.get_log("browser")]
        return [entry["message"] for entry in self.messages
                if entry["level"] == "SEVERE" and "Failed to load resource" not in entry["message"]]

    def screenshot(self, path):
        self.driver.save_screenshot(str(path))
