// The marks of a figure: one of them is in the tab order, arrows lead to the next, each says its figures.

class Marks {
  constructor() {
    this.all = [];
    this.current = 0;
  }

  /** Begins anew, the figure being drawn again. */
  clear() {
    this.focused = this.all.some((mark) => mark.node === document.activeElement);
    this.all = [];
  }

  /** A mark: its node, its lines of text, and where it is in the picture. */
  add(node, lines, at) {
    const mark = { node, lines, at };
    node.setAttribute("role", "img");
    node.setAttribute("aria-label", lines.join(", "));
    node.addEventListener("focus", () => {
      this.current = this.all.indexOf(mark);
      const box = node.getBoundingClientRect();
      showTip(lines, box.right, box.top);
    });
    node.addEventListener("blur", hideTip);
    this.all.push(mark);
  }

  /** Puts the marks in reading order, one of them in the tab order. */
  ready() {
    this.current = Math.min(this.current, Math.max(this.all.length - 1, 0));
    this.all.forEach(({ node }, at) => node.setAttribute("tabindex", at === this.current ? "0" : "-1"));
    if (this.focused) this.all[this.current]?.node.focus({ preventScroll: true });
  }

  /** Moves the focus by so many marks. */
  move(by) {
    if (this.all.length === 0) return;
    this.all[this.current].node.setAttribute("tabindex", "-1");
    this.current = (this.current + by + this.all.length) % this.all.length;
    const { node } = this.all[this.current];
    node.setAttribute("tabindex", "0");
    node.focus();
  }

  /** The marks at a place of the picture, the nearest first; those that lie on each other come together. */
  near(x, y, reach) {
    const apart = ({ at }) => Math.hypot(at[0] - x, at[1] - y);
    const nearest = [...this.all].sort((a, b) => apart(a) - apart(b))[0];
    if (!nearest || apart(nearest) > reach) return [];
    const same = ({ at }) => Math.hypot(at[0] - nearest.at[0], at[1] - nearest.at[1]) < 3;
    return [nearest, ...this.all.filter((mark) => mark !== nearest && same(mark))];
  }
}
