// Names beside points, where they cover nothing; a name without a free place is shown by the pointer.

const LETTER = 6.3;
const TALL = 10;

/** Points nearer than this share a name. */
const SAME = 5;

/** How much nearer a name must be to its own mark than to another. */
const CLEAR = 4;

class Labels {
  /** A frame, the marks in it, and the strokes that are drawn there. */
  constructor(frame, marks, strokes) {
    Object.assign(this, { frame, marks, strokes });
    this.taken = marks.map(around);
  }

  /** A place for the text near a point: where it begins, how it is aligned, and the line to it if it is far; null if there is none. */
  place(text, [x, y]) {
    const width = text.length * LETTER;
    const foreign = this.marks.filter(([mx, my]) => Math.hypot(mx - x, my - y) >= SAME);
    for (const [dx, dy, anchor] of PLACES) {
      const at = x + dx;
      const base = y + dy;
      const left = { start: at, end: at - width, middle: at - width / 2 }[anchor];
      const box = { left, right: left + width, top: base - TALL, bottom: base + 2 };
      const free = this.inside(box) && this.taken.every((other) => apart(box, other)) && !this.strokes.some((stroke) => crosses(stroke, box));
      if (!free) continue;
      const far = Math.abs(dy) > 20;
      // Without a line, a reader takes a name for that of the nearest mark.
      if (!far && foreign.some((mark) => distance(mark, box) <= distance([x, y], box) + CLEAR)) continue;
      const end = [Math.min(Math.max(x, left), left + width), dy < 0 ? box.bottom : box.top];
      const leader = [[x, y + 6 * Math.sign(dy)], end];
      if (far && foreign.some((mark) => crosses(leader, around(mark)))) continue;
      this.taken.push(box);
      return { x: at, y: base, anchor, leader: far && `M${leader[0].join(" ")}L${end.join(" ")}` };
    }
    return null;
  }

  /** A place for the name of a line that leaves the frame at its right: above it or below; null where there is none. */
  leaving(text, y) {
    return this.ending(text, this.frame.right - 6, y);
  }

  /** A place above or below a level line that begins at `left`, as far right as there is one; null where there is none. */
  along(text, left, y) {
    const width = text.length * LETTER;
    for (let right = this.frame.right - 6; right - width >= left; right -= 12) {
      const place = this.ending(text, right, y);
      if (place) return place;
    }
    return null;
  }

  /** A place for a text that ends there. */
  ending(text, right, y) {
    for (const base of [y - 5, y + 14]) {
      const box = { left: right - text.length * LETTER, right, top: base - TALL, bottom: base + 2 };
      if (!this.inside(box) || !this.taken.every((other) => apart(box, other)) || this.strokes.some((stroke) => crosses(stroke, box))) continue;
      this.taken.push(box);
      return { x: right, y: base };
    }
    return null;
  }

  inside({ left, right, top, bottom }) {
    const { frame } = this;
    return left >= frame.left + 2 && right <= frame.right - 2 && top >= frame.top + 2 && bottom <= frame.bottom - 2;
  }
}

/** Where a name may begin, relative to its point, the best place first. */
const PLACES = [
  [9, 4, "start"], [-9, 4, "end"], [0, -10, "middle"], [0, 18, "middle"], [7, -8, "start"], [7, 15, "start"], [-7, -8, "end"],
  [-7, 15, "end"], ...[1, 2, 3, 4, 6, 8].flatMap((row) => [
    [0, -10 - 13 * row, "middle"], [0, 18 + 13 * row, "middle"], [6, -8 - 13 * row, "start"], [6, 15 + 13 * row, "start"],
    [-6, -8 - 13 * row, "end"], [-6, 15 + 13 * row, "end"],
  ]),
];

function around([x, y]) {
  return { left: x - 5, right: x + 5, top: y - 5, bottom: y + 5 };
}

/** The distance of a point from a box. */
function distance([x, y], { left, right, top, bottom }) {
  return Math.hypot(Math.max(left - x, x - right, 0), Math.max(top - y, y - bottom, 0));
}

function apart(a, b) {
  return a.right < b.left || a.left > b.right || a.bottom < b.top || a.top > b.bottom;
}

/** Whether a stroke goes through a box: Liang and Barsky's clipping. */
function crosses([[x0, y0], [x1, y1]], box) {
  const [dx, dy] = [x1 - x0, y1 - y0];
  let [enter, leave] = [0, 1];
  for (const [step, room] of [[-dx, x0 - box.left], [dx, box.right - x0], [-dy, y0 - box.top], [dy, box.bottom - y0]]) {
    if (step === 0 && room < 0) return false;
    if (step < 0) enter = Math.max(enter, room / step);
    if (step > 0) leave = Math.min(leave, room / step);
  }
  return enter <= leave;
}
