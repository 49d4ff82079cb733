// Elements: text goes in as text, never as markup.

const SVG = "http://www.w3.org/2000/svg";

/** An element with attributes and children. */
function element(name, attributes = {}, ...children) {
  return filled(document.createElement(name), attributes, children);
}

/** The same in a picture. */
function drawn(name, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, name), attributes, children);
}

function filled(node, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else node.setAttribute(key, value === true ? "" : value);
  }
  node.append(...children);
  return node;
}

let counter = 0;

/** A name for an element that others refer to. */
function freshId(stem) {
  counter += 1;
  return `${stem}-${counter}`;
}
