// The colours of the picture. After Okabe and Ito, whose eight can be distinguished by colour-blind people;
// darker on white and lighter on black, so that each has a contrast of 3 to 1 with the ground.

import { PALETTE } from "./shade.js";

const LIGHT = [
  "#0072b2", "#c9540b", "#00805d", "#6f4bd8", "#b3528a",
  "#a37500", "#2a8cc4", "#7a6a3a", "#8c3b3b", "#7d7d8c",
  "#a06a00", "#5a6a8c", "#c0392b", "#1f8a70", "#77778a",
  "#5b3fd6", "#ffffff", "#1b1b24",
];
const DARK = [
  "#4da3e0", "#ff8f52", "#3cc79a", "#ad9bff", "#e79bc4",
  "#f2b63d", "#8ccbf2", "#d8cc8a", "#e88b8b", "#9a9aae",
  "#e0b040", "#8fa3cc", "#ff8a80", "#5ed0b4", "#8d8da0",
  "#c3b5ff", "#14141a", "#ececf3",
];

export function palette(dark: boolean): readonly string[] {
  return dark ? DARK : LIGHT;
}

/** The palette as numbers from 0 to 1, three for each colour. */
export function numbers(colours: readonly string[]): Float32Array {
  const all = new Float32Array(PALETTE * 3);
  colours.forEach((colour, at) => {
    for (let part = 0; part < 3; part += 1) {
      all[at * 3 + part] = parseInt(colour.slice(1 + part * 2, 3 + part * 2), 16) / 255;
    }
  });
  return all;
}
