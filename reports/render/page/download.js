// A figure as a file: the picture as it is now, and its values.

/** What a picture takes from the page's style. */
const LOOK = [
  "fill", "stroke", "stroke-width", "stroke-dasharray", "stroke-linejoin", "stroke-opacity", "paint-order", "opacity", "font-family",
  "font-size", "font-weight", "font-style", "text-anchor",
];

/** How many pixels of a file are one of the page. */
const SHARPNESS = 2;

function downloadButtons(figure, name) {
  const svg = () => figure.querySelector("svg.chart");
  const button = (text, action) => element("button", { type: "button", title: `Download as ${text}`, "aria-label": `Download as ${text}`, onclick: action }, text);
  return [
    button("SVG", () => save(`${name}.svg`, new Blob([standalone(svg())], { type: "image/svg+xml" }))),
    button("PNG", () => {
      const picture = new Image();
      picture.onload = () => {
        const canvas = element("canvas", { width: picture.width * SHARPNESS, height: picture.height * SHARPNESS });
        const context = canvas.getContext("2d");
        context.scale(SHARPNESS, SHARPNESS);
        context.drawImage(picture, 0, 0);
        canvas.toBlob((blob) => save(`${name}.png`, blob));
      };
      picture.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(standalone(svg()))}`;
    }),
    // Where a page has the values elsewhere, they are saved there.
    ...(figure.querySelector(".values table") ? [button("CSV", () => save(`${name}.csv`, new Blob([separated(figure.querySelector(".values table"))], { type: "text/csv" })))] : []),
  ];
}

/** The picture with its look written out. */
function standalone(svg) {
  const copy = svg.cloneNode(true);
  const from = [...svg.querySelectorAll("*")];
  [...copy.querySelectorAll("*")].forEach((node, at) => {
    const style = getComputedStyle(from[at]);
    for (const key of LOOK) node.setAttribute(key, style.getPropertyValue(key));
  });
  const ground = drawn("rect", { width: "100%", height: "100%", fill: getComputedStyle(document.body).backgroundColor });
  copy.prepend(ground);
  copy.setAttribute("xmlns", SVG);
  return new XMLSerializer().serializeToString(copy);
}

/** A table as comma-separated values, numbers with all digits. */
function separated(table) {
  const text = (cell) => cell.dataset.value || cell.textContent.trim();
  const quoted = (field) => (/[",\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field);
  return [...table.rows].map((row) => [...row.cells].map((cell) => quoted(text(cell))).join(",") + "\n").join("");
}

function save(name, blob) {
  const address = URL.createObjectURL(blob);
  element("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}
