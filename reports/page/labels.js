// Names beside points, where they lie on nothing; a name that finds no place is left to the pointer.

const LETTER = 6.3;
const LINE_HEIGHT = 13;

class Labels {
  constructor(frame, marks) {
    this.frame = frame;
    this.taken = marks.map(([x, y]) => ({ left: x - 6, right: x + 6, top: y - 6, bottom: y + 6 }));
  }

  /** A place for the text near a point: its anchor and its left, or null. */
  place(text, [x, y]) {
    const width = text.length * LETTER;
    const places = [
      [x + 9, y + 4, "start"], [x - 9, y + 4, "end"], [x, y - 10, "middle"], [x, y + 19, "middle"],
      [x + 7, y - 8, "start"], [x + 7, y + 15, "start"], [x - 7, y - 8, "end"], [x - 7, y + 15, "end"],
      [x, y - 24, "middle"], [x, y + 33, "middle"],
    ];
    for (const [at, base, anchor] of places) {
      const left = anchor === "start" ? at : anchor === "end" ? at - width : at - width / 2;
      const box = { left, right: left + width, top: base - LINE_HEIGHT + 3, bottom: base + 3 };
      const { frame } = this;
      const inside = box.left >= frame.left && box.right <= frame.right && box.top >= frame.top && box.bottom <= frame.bottom;
      const own = (other) => other.left <= x && other.right >= x && other.top <= y && other.bottom >= y && anchor !== "middle";
      const free = this.taken.every((other) => own(other)
        || other.right < box.left || other.left > box.right || other.bottom < box.top || other.top > box.bottom);
      if (inside && free) {
        this.taken.push(box);
        return { x: at, y: base, anchor };
      }
    }
    return null;
  }
}
