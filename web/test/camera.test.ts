import { expect, test } from "vitest";
import { bounds, fit, pan, seen, toGraph, toScreen, zoomAt, type Camera } from "../src/explorer/camera.js";
import { random } from "./made.js";

const size = { width: 800, height: 600 };
const next = random(11);
const some = (): Camera => ({ x: (next() - 0.5) * 1e4, y: (next() - 0.5) * 1e4, scale: 0.01 + next() * 5 });

test("graph and screen are inverse to each other", () => {
  for (let round = 0; round < 100; round += 1) {
    const camera = some();
    const at = { x: next() * 800, y: next() * 600 };
    const back = toScreen(camera, size, toGraph(camera, size, at));
    expect(back.x).toBeCloseTo(at.x, 6);
    expect(back.y).toBeCloseTo(at.y, 6);
  }
});

test("what is under the pointer stays there while zooming, within the limits", () => {
  for (let round = 0; round < 100; round += 1) {
    const camera = some();
    const at = { x: next() * 800, y: next() * 600 };
    const before = toGraph(camera, size, at);
    const zoomed = zoomAt(camera, size, at, 0.1 + next() * 5, [0.05, 3]);
    const after = toGraph(zoomed, size, at);
    expect(after.x).toBeCloseTo(before.x, 5);
    expect(after.y).toBeCloseTo(before.y, 5);
    expect(zoomed.scale).toBeGreaterThanOrEqual(0.05);
    expect(zoomed.scale).toBeLessThanOrEqual(3);
  }
});

test("panning moves what is seen by as many pixels", () => {
  const camera = some();
  const before = toScreen(camera, size, { x: 3, y: 4 });
  const after = toScreen(pan(camera, 30, -20), size, { x: 3, y: 4 });
  expect(after.x - before.x).toBeCloseTo(30, 6);
  expect(after.y - before.y).toBeCloseTo(-20, 6);
});

test("fit shows all of it, of one point too", () => {
  const box = { left: -50, top: 10, right: 950, bottom: 70 };
  const view = seen(fit(box, size), size);
  expect(view.left).toBeLessThan(box.left);
  expect(view.right).toBeGreaterThan(box.right);
  expect(view.top).toBeLessThan(box.top);
  expect(view.bottom).toBeGreaterThan(box.bottom);
  expect(fit({ left: 5, top: 6, right: 5, bottom: 6 }, size, 40, 2)).toEqual({ x: 5, y: 6, scale: 2 });
  expect(fit(box, { width: 10, height: 10 }).scale).toBeGreaterThan(0);
});

test("bounds leave out what is not shown", () => {
  const [x, y] = [Float32Array.of(0, 5, 100), Float32Array.of(0, 7, 100)];
  expect(bounds(x, y, (at) => at < 2)).toEqual({ left: 0, top: 0, right: 5, bottom: 7 });
  expect(bounds(x, y, () => false)).toBeNull();
});
