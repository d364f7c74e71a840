// Where the picture looks: the point of the graph in the middle, and how many pixels a unit of the graph
// takes.

export interface Camera {
  x: number;
  y: number;
  scale: number;
}

export interface Size {
  width: number;
  height: number;
}

export interface Point {
  x: number;
  y: number;
}

export interface Bounds {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export function toScreen(camera: Camera, size: Size, at: Point): Point {
  return {
    x: (at.x - camera.x) * camera.scale + size.width / 2,
    y: (at.y - camera.y) * camera.scale + size.height / 2,
  };
}

export function toGraph(camera: Camera, size: Size, at: Point): Point {
  return {
    x: (at.x - size.width / 2) / camera.scale + camera.x,
    y: (at.y - size.height / 2) / camera.scale + camera.y,
  };
}

/** Moves what is seen by as many pixels. */
export function pan(camera: Camera, dx: number, dy: number): Camera {
  return { ...camera, x: camera.x - dx / camera.scale, y: camera.y - dy / camera.scale };
}

/** Comes closer by a factor; what is under the pixel `at` stays there. */
export function zoomAt(
  camera: Camera,
  size: Size,
  at: Point,
  factor: number,
  limits: [number, number],
): Camera {
  const scale = Math.min(limits[1], Math.max(limits[0], camera.scale * factor));
  const still = toGraph(camera, size, at);
  return {
    x: still.x - (at.x - size.width / 2) / scale,
    y: still.y - (at.y - size.height / 2) / scale,
    scale,
  };
}

/** The camera that shows all of `bounds`, with a margin in pixels. */
export function fit(bounds: Bounds, size: Size, margin = 40, closest = Infinity): Camera {
  const width = Math.max(bounds.right - bounds.left, 1e-6);
  const height = Math.max(bounds.bottom - bounds.top, 1e-6);
  const room = (all: number) => Math.max(all - 2 * margin, all / 4, 1);
  return {
    x: (bounds.left + bounds.right) / 2,
    y: (bounds.top + bounds.bottom) / 2,
    scale: Math.min(room(size.width) / width, room(size.height) / height, closest),
  };
}

/** What lies around the points; `shown` leaves some out. */
export function bounds(
  x: Float32Array,
  y: Float32Array,
  shown: (at: number) => boolean = () => true,
): Bounds | null {
  const all = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
  for (let at = 0; at < x.length; at += 1) {
    if (!shown(at)) continue;
    all.left = Math.min(all.left, x[at]!);
    all.right = Math.max(all.right, x[at]!);
    all.top = Math.min(all.top, y[at]!);
    all.bottom = Math.max(all.bottom, y[at]!);
  }
  return all.left <= all.right ? all : null;
}

/** The part of the graph that is seen. */
export function seen(camera: Camera, size: Size): Bounds {
  const from = toGraph(camera, size, { x: 0, y: 0 });
  const to = toGraph(camera, size, { x: size.width, y: size.height });
  return { left: from.x, top: from.y, right: to.x, bottom: to.y };
}
