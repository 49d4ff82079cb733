// The one note that floats beside the pointer.

const tip = element("div", { class: "tip", id: "tip", "aria-hidden": "true", hidden: true });

/** Shows lines, the first of them as a heading, beside a place in the window. */
function showTip(lines, x, y) {
  tip.replaceChildren(...lines.map((line, at) => element(at === 0 ? "b" : "span", {}, line)));
  tip.hidden = false;
  const { width, height } = tip.getBoundingClientRect();
  const left = x + 14 + width > document.documentElement.clientWidth ? x - 14 - width : x + 14;
  const top = y - height - 12 < 0 ? y + 16 : y - height - 12;
  tip.style.left = `${Math.max(4, left)}px`;
  tip.style.top = `${top}px`;
}

function hideTip() {
  tip.hidden = true;
}
