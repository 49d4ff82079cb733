// Sections open: by hand, by a link into them, all at once, and for print.

function bindSections() {
  const parts = [...document.querySelectorAll("details.part")];
  if (parts.length === 0) return;
  const openTo = (id) => {
    const target = id && document.getElementById(id);
    if (!target) return;
    for (const part of parts) {
      if (part.contains(target) || target.contains(part)) part.open = true;
    }
    target.scrollIntoView();
  };
  const named = () => decodeURIComponent(location.hash.slice(1));
  document.addEventListener("click", ({ target }) => {
    const link = target.closest?.('a[href^="#"]');
    if (link) requestAnimationFrame(() => openTo(decodeURIComponent(link.hash.slice(1))));
  });
  window.addEventListener("hashchange", () => openTo(named()));
  const button = element("button", { type: "button", class: "unfold", onclick: () => {
    const open = !parts.every((part) => part.open);
    for (const part of parts) part.open = open;
    name();
  } });
  const name = () => { button.textContent = parts.every((part) => part.open) ? "Close all sections" : "Open all sections"; };
  for (const part of parts) part.addEventListener("toggle", name);
  name();
  parts[0].closest("section").before(button);
  let closed = [];
  window.addEventListener("beforeprint", () => {
    closed = parts.filter((part) => !part.open);
    for (const part of closed) part.open = true;
    for (const figure of figures) figure.draw();
  });
  window.addEventListener("afterprint", () => { for (const part of closed) part.open = false; });
  openTo(named());
}
