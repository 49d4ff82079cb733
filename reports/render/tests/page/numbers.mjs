// Numbers of the page against those of Rust: `node numbers.mjs cases.json`.

import { readFileSync } from "node:fs";

const source = readFileSync(`${process.env.PAGE_ASSETS}/number.js`, "utf8");
const formatNumber = new Function(`"use strict";${source};return formatNumber;`)();
const cases = JSON.parse(readFileSync(process.argv[2], "utf8"));
let wrong = 0;
for (const [bits, format, expected] of cases) {
  const value = Buffer.from(bits, "hex").readDoubleBE();
  const text = formatNumber(value, format);
  if (text !== expected && (wrong += 1) <= 20) console.error(`${value} ${JSON.stringify(format)}: ${text}, not ${expected}`);
}
console.log(`${cases.length} cases, ${wrong} wrong`);
process.exit(wrong === 0 ? 0 : 1);
