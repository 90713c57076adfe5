// What is wrong with the texts of the page that is shown: sideways scrolling, keys in the place of words, places of a
// text that were not filled, and texts that are cut, hidden or written over one another.
async (keys) => {
  for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame); // until all has its place
  const SLACK = 1.5;
  const known = new Set(keys);
  const faults = [];
  const quote = (text) => JSON.stringify(text.trim().slice(0, 60));

  const root = document.documentElement;
  if (root.scrollWidth > root.clientWidth) faults.push(`scrolls sideways: ${root.scrollWidth} > ${root.clientWidth}`);

  const readable = (text) => {
    for (const word of text.split(/[\s,;:()"]+/)) if (known.has(word)) faults.push(`a key: ${word}`);
    if (/\{\w+\}/.test(text)) faults.push(`a place that was not filled: ${quote(text)}`);
  };
  for (const element of document.querySelectorAll("[aria-label], [title], [placeholder], [alt]"))
    for (const name of ["aria-label", "title", "placeholder", "alt"]) {
      if (name === "placeholder" && element.tagName === "TEXTAREA") continue; // it shows how a record looks
      readable(element.getAttribute(name) ?? "");
    }

  const forEars = (element) =>
    element !== null && (getComputedStyle(element).clipPath === "inset(50%)" || forEars(element.parentElement));
  const shown = (element) =>
    element.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true }) && !element.closest("svg") && !forEars(element);
  const dialog = document.querySelector("dialog[open]");
  const lines = [];

  // Where a line is cut: by the first box around it that hides what is outside. What scrolls may be scrolled to.
  const cut = (element, line) => {
    for (let box = element; box; box = box.parentElement) {
      const style = getComputedStyle(box);
      const { left, right, top, bottom } = box.getBoundingClientRect();
      const sideways = line.left < left - SLACK || line.right > right + SLACK;
      const upright = line.top < top - SLACK || line.bottom > bottom + SLACK;
      const hides = (overflow) => overflow === "hidden" || overflow === "clip";
      if ((hides(style.overflowX) && sideways) || (hides(style.overflowY) && upright)) return "cut";
      if (box.matches("button, .button, select, input, label.pick") && (sideways || upright)) return "outside its button";
      const scrolls = (overflow) => overflow === "auto" || overflow === "scroll";
      if (scrolls(style.overflowY) && (line.bottom > bottom || line.top < top)) return null;
      if (scrolls(style.overflowX) && sideways) return box === root ? "cut" : null;
    }
    return line.left < -SLACK || line.right > innerWidth + SLACK ? "outside the window" : "";
  };

  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode;
    const element = text.parentElement;
    if (!text.data.trim() || !element || element.closest("script, style, noscript")) continue;
    readable(text.data);
    if (!shown(element) || (dialog && !dialog.contains(element)) || element.closest("option")) continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    for (const line of range.getClientRects()) {
      if (line.width < 1 || line.height < 1) continue;
      const fault = cut(element, line);
      if (fault) faults.push(`${fault}: ${quote(text.data)}`);
      if (fault !== null) lines.push({ element, text: text.data, line });
    }
  }

  // Lines overlap where their middles do: the tops of letters may reach into the line above.
  const core = ({ left, right, top, bottom, height }) => [left + 1, right - 1, top + height / 4, bottom - height / 4];
  const solid = (element) => !/^rgba\(.*, 0(\.\d+)?\)$/.test(getComputedStyle(element).backgroundColor);
  const under = (element, [left, right, top, bottom]) => {
    let hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    while (hit && !hit.contains(element) && !element.contains(hit) && !solid(hit)) hit = hit.parentElement;
    return hit && !hit.contains(element) && !element.contains(hit);
  };
  const open = lines.filter(({ element, line }) => !under(element, core(line)));
  for (const [number, one] of open.entries())
    for (const other of open.slice(number + 1)) {
      const [a, b] = [core(one.line), core(other.line)];
      if (a[0] < b[1] && b[0] < a[1] && a[2] < b[3] && b[2] < a[3])
        faults.push(`over one another: ${quote(one.text)} and ${quote(other.text)}`);
    }
  return [...new Set(faults)];
}
