// The inputs that a reader has changed are in the page's address: a link to it gives the same figures.

function bindAddress(model) {
  for (const [name, text] of new URLSearchParams(location.search)) {
    const input = model.inputs.get(name);
    if (!input) continue;
    const { value, reason } = checked(input, text);
    if (!reason) model.edit(name, value);
  }
  model.follow(() => {
    if (model.waiting) return;
    const address = new URL(location.href);
    address.search = new URLSearchParams([...model.edits].map(([name, value]) => [name, String(value)]));
    // A page that is shown inside another one may not change its address.
    try { history.replaceState(null, "", address); } catch { /* The figures are the same without it. */ }
  });
}
