// The buttons at the top of the smaller pages: language and theme.

import { byId, memory } from "./dom.js";
import { language, setLanguage } from "./words.js";

/** Wire up the buttons; `speak` translates the page into the chosen language. */
export function listenToHead(speak) {
  byId("language").addEventListener("click", () => {
    setLanguage(language() === "zh" ? "en" : "zh");
    speak();
  });
  const root = document.documentElement;
  byId("theme").addEventListener("click", () => {
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
    memory.set("theme", root.dataset.theme);
  });
  if (memory.get("theme")) root.dataset.theme = memory.get("theme");
}
