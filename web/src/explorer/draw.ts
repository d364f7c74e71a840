// The drawing: two programs, one for edges and one for nodes. Geometry and states are textures with one texel
// for each node or edge, which the shaders read by the number of the vertex; geometry is sent once, the
// camera is a uniform. Instances would do the same, but a browser without a graphics card draws each of them
// by itself: 60,000 edges take it seven times as long.
//
// No library: those that draw as many nodes either bring no labels, or lay the graph out themselves, or find
// what is under the pointer by drawing a second picture, which is slow without a graphics card. What would be
// left of them is about the code below.

import type { Camera, Size } from "./camera.js";
import type { Graph } from "./graph.js";
import {
  DASHED,
  FADED,
  GROUND,
  HIDDEN,
  MARKED,
  ON_PATH,
  OPENED,
  PALETTE,
  PINNED,
  SELECTED,
  type Shade,
} from "./shade.js";

/** Texels in a row of the textures. */
const ROW = 1024;

/** Pixels between parallel edges. */
export const LANE = 5;

/** The radius of a node in pixels; the shader computes the same. */
export function radius(unit: number, scale: number, degree: number): number {
  const grown = unit * scale * (0.075 + 0.035 * Math.log2(1 + degree));
  return Math.min(34, Math.max(1.4 + 0.35 * Math.log2(1 + degree), grown));
}

const SHARED = `#version 300 es
precision highp float;
precision highp int;
precision highp usampler2D;
uniform highp sampler2D places;
uniform usampler2D states;
uniform vec2 size;
uniform vec3 camera;
uniform float unit;
uniform vec3 palette[${PALETTE}];
ivec2 texel(int at) { return ivec2(at % ${ROW}, at / ${ROW}); }
/** Pixels from the middle, and the number of edges. */
vec3 node(int at) {
  vec4 told = texelFetch(places, texel(at), 0);
  return vec3((told.xy - camera.xy) * camera.z, told.z);
}
/** Two triangles: corners 0 1 2 and 2 1 3. */
int corner(int vertex) { return vertex < 3 ? vertex : vertex == 3 ? 2 : vertex == 4 ? 1 : 3; }
vec4 position(vec2 at, float depth) { return vec4(at.x / size.x * 2.0, -at.y / size.y * 2.0, depth, 1.0); }
float radius(float degree) {
  float grown = unit * camera.z * (0.075 + 0.035 * log2(1.0 + degree));
  return min(34.0, max(1.4 + 0.35 * log2(1.0 + degree), grown));
}
`;

const NODE_VERTEX = `${SHARED}
out vec2 at;
flat out vec3 colour;
flat out uvec4 state;
flat out float reach;
void main() {
  int number = gl_VertexID / 6;
  state = texelFetch(states, texel(number), 0);
  vec3 told = node(number);
  int place = corner(gl_VertexID % 6);
  reach = radius(told.z);
  if ((state.y & ${SELECTED | ON_PATH}u) != 0u) reach = max(reach, 5.0);
  // The square leaves room for the soft border, and for the ring of what is marked.
  float room = reach * 1.1 + ((state.y & ${SELECTED | ON_PATH | PINNED}u) != 0u ? 6.0 : 1.0);
  at = (vec2(place & 1, place >> 1) * 2.0 - 1.0) * room;
  colour = palette[state.x];
  vec2 middle = told.xy;
  bool gone = (state.y & ${HIDDEN}u) != 0u
    || abs(middle.x) > size.x * 0.5 + room || abs(middle.y) > size.y * 0.5 + room;
  gl_Position = gone ? vec4(2.0, 2.0, 2.0, 1.0) : position(middle + at, 0.0);
}`;

const NODE_FRAGMENT = `${SHARED}
in vec2 at;
flat in vec3 colour;
flat in uvec4 state;
flat in float reach;
out vec4 result;
float away() {
  if (state.w == 1u) {
    vec2 corner = abs(at) - reach * 0.55;
    return length(max(corner, 0.0)) + min(max(corner.x, corner.y), 0.0) - reach * 0.3;
  }
  if (state.w == 2u) return (abs(at.x) + abs(at.y)) * 0.7071 - reach * 0.8;
  return length(at) - reach;
}
void main() {
  float outside = away();
  float inside = clamp(0.5 - outside, 0.0, 1.0);
  vec3 ground = palette[${GROUND}];
  vec3 shown = colour;
  // A thin line of the ground's colour keeps nodes apart that overlap; a community is a ring.
  if (reach > 4.0) shown = mix(shown, ground, clamp(outside + 1.5, 0.0, 1.0) * 0.7);
  if (state.w == 3u && outside < -reach * 0.3) shown = mix(shown, ground, 0.55);
  if ((state.y & ${OPENED}u) != 0u && length(at) < reach * 0.35) shown = ground;
  float strength = inside;
  if ((state.y & ${FADED}u) != 0u) strength *= 0.22;
  if ((state.y & ${SELECTED | ON_PATH | PINNED}u) != 0u) {
    bool thin = (state.y & ${SELECTED | ON_PATH}u) == 0u;
    float ring = 1.0 - clamp(abs(outside - 3.0) - (thin ? 0.2 : 0.9), 0.0, 1.0);
    shown = mix(shown, thin ? colour : palette[${MARKED}], ring);
    strength = max(strength, ring);
  }
  if (strength <= 0.0) discard;
  result = vec4(shown * strength, strength);
}`;

const EDGE_VERTEX = `${SHARED}
uniform highp usampler2D joints;
uniform float crowd;
/** How many vertices each edge has: 2 for a line of one pixel, 6 for one with a width, 9 with an arrow. */
uniform int parts;
/** Draws only what is marked. */
uniform bool only_marked;
flat out vec4 colour;
flat out float dashes;
out float run;
out float side;
flat out float half_width;
float thickness(bool marked, float weight) {
  // Thinner where nodes are close together on the screen.
  return marked ? 2.4 + weight * 2.0 : 0.7 + weight * 2.3 * clamp(unit * camera.z / 50.0, 0.15, 1.0);
}
void main() {
  gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
  int number = gl_VertexID / parts;
  int vertex = gl_VertexID % parts;
  uvec4 state = texelFetch(states, texel(number), 0);
  bool marked = (state.y & ${SELECTED | ON_PATH}u) != 0u;
  if ((state.y & ${HIDDEN}u) != 0u || (only_marked && !marked)) return;
  uvec4 joint = texelFetch(joints, texel(number), 0);
  // Weight, direction and lane in one number, a byte each.
  float weight = float(joint.z & 255u) / 255.0;
  bool directed = (joint.z & 256u) != 0u;
  vec2 a = node(int(joint.x)).xy;
  vec3 target = node(int(joint.y));
  vec2 b = target.xy;
  vec2 ahead = b - a;
  float span = length(ahead);
  vec2 half_size = size * 0.5;
  bool gone = span < 0.5
    || max(a.x, b.x) < -half_size.x || min(a.x, b.x) > half_size.x
    || max(a.y, b.y) < -half_size.y || min(a.y, b.y) > half_size.y;
  if (gone) return;
  ahead /= span;
  vec2 across = vec2(-ahead.y, ahead.x);
  float shift = (float(joint.z >> 16) - 128.0) * ${LANE.toFixed(1)};
  a += across * shift;
  b += across * shift;
  float stop = radius(target.z);
  float width = thickness(marked, weight);
  float head = parts == 9 && directed && span > stop + 14.0 ? min(10.0, 5.0 + width * 1.5) : 0.0;
  float strength = float(state.z) / 255.0 * (marked ? 1.0 : crowd);
  if ((state.y & ${FADED}u) != 0u) strength *= 0.12;
  colour = vec4(marked ? palette[${MARKED}] : palette[state.x], strength);
  dashes = (state.y & ${DASHED}u) != 0u ? 1.0 : 0.0;
  half_width = width * 0.5;
  float end = head > 0.0 ? max(span - stop - head, 0.0) : span;
  if (parts == 2) {
    // A line of one pixel shows its width by its strength.
    run = vertex == 0 ? 0.0 : span;
    side = 0.0;
    colour.a *= min(1.0, width);
    half_width = 1.0;
    gl_Position = position(a + ahead * run, 0.0);
  } else if (vertex < 6) {
    int place = corner(vertex);
    run = (place & 1) == 0 ? 0.0 : end;
    side = ((place >> 1) == 0 ? -1.0 : 1.0) * (half_width + 1.0);
    gl_Position = position(a + ahead * run + across * side, 0.0);
  } else if (head > 0.0) {
    int place = vertex - 6;
    run = 0.0;
    side = 0.0;
    dashes = 0.0;
    colour.a = min(1.0, colour.a * 1.5);
    vec2 tip = a + ahead * (span - stop);
    vec2 point = place == 0 ? tip : tip - ahead * head + across * (place == 1 ? -1.0 : 1.0) * head * 0.45;
    gl_Position = position(point, 0.0);
  }
}`;

const EDGE_FRAGMENT = `#version 300 es
precision highp float;
flat in vec4 colour;
flat in float dashes;
flat in float half_width;
in float run;
in float side;
out vec4 result;
void main() {
  float strength = colour.a * clamp(half_width + 0.5 - abs(side), 0.0, 1.0);
  if (dashes > 0.5 && mod(run, 9.0) > 5.0) discard;
  result = vec4(colour.rgb * strength, strength);
}`;

/** Which lane an edge has among those between the same two nodes, so that parallel edges lie side by side. */
export function lanes(graph: Graph): Int8Array {
  const result = new Int8Array(graph.edges);
  const taken = new Map<number, number>();
  for (let edge = 0; edge < graph.edges; edge += 1) {
    const [from, to] = [graph.from[edge]!, graph.to[edge]!];
    const pair = Math.min(from, to) * graph.nodes + Math.max(from, to);
    const place = taken.get(pair) ?? 0;
    taken.set(pair, place + 1);
    if (place === 0) continue;
    // 0, 1, -1, 2, -2 …, seen from the end with the smaller number.
    const lane = Math.min(20, (place + 1) >> 1) * (place % 2 === 1 ? 1 : -1);
    result[edge] = from < to ? lane : -lane;
  }
  return result;
}

/**
 * The side of a square that each node would have if they were spread evenly: what sizes are measured in. The
 * twentieth farthest out on each side does not count, or a few nodes far away would make all others large.
 */
export function spacing(graph: Graph): number {
  if (graph.nodes < 2) return 100;
  const edge = Math.floor(graph.nodes / 20);
  const span = (places: Float32Array) => {
    const sorted = places.slice().sort();
    return sorted[graph.nodes - 1 - edge]! - sorted[edge]!;
  };
  const [width, height] = [span(graph.x), span(graph.y)];
  const area = Math.max(width, height / 4) * Math.max(height, width / 4);
  return Math.sqrt(area / (graph.nodes - 2 * edge)) || 100;
}

interface Program {
  program: WebGLProgram;
  uniforms: Record<string, WebGLUniformLocation | null>;
}

export class Drawing {
  readonly #gl: WebGL2RenderingContext;
  readonly #nodes: Program;
  readonly #edges: Program;
  readonly #textures: Record<"places" | "joints" | "nodes" | "edges", WebGLTexture>;
  #count = { nodes: 0, edges: 0, shown: 0 };
  #unit = 100;
  #marked = false;
  #degree: Uint32Array = new Uint32Array();

  /** Throws where the browser has no WebGL2. */
  constructor(canvas: HTMLCanvasElement) {
    const gl = canvas.getContext("webgl2", { antialias: false, alpha: false, powerPreference: "low-power" });
    if (!gl) throw new Error("this browser offers no WebGL2");
    this.#gl = gl;
    this.#nodes = this.#program(NODE_VERTEX, NODE_FRAGMENT);
    this.#edges = this.#program(EDGE_VERTEX, EDGE_FRAGMENT);
    const texture = () => {
      const made = gl.createTexture();
      gl.bindTexture(gl.TEXTURE_2D, made);
      for (const name of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER])
        gl.texParameteri(gl.TEXTURE_2D, name, gl.NEAREST);
      for (const name of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T])
        gl.texParameteri(gl.TEXTURE_2D, name, gl.CLAMP_TO_EDGE);
      return made;
    };
    this.#textures = { places: texture(), joints: texture(), nodes: texture(), edges: texture() };
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
  }

  /** Sends the geometry of a graph. */
  load(graph: Graph, unit: number): void {
    const gl = this.#gl;
    this.#count = { nodes: graph.nodes, edges: graph.edges, shown: graph.edges };
    this.#unit = unit;
    this.#degree = graph.degree;
    const joints = new Uint32Array(graph.edges * 4);
    const lane = lanes(graph);
    for (let edge = 0; edge < graph.edges; edge += 1) {
      joints[edge * 4] = graph.from[edge]!;
      joints[edge * 4 + 1] = graph.to[edge]!;
      const weight = Math.round(Math.min(1, Math.max(0, graph.weight[edge]!)) * 255);
      joints[edge * 4 + 2] =
        weight | (graph.head.directed[graph.kind[edge]!] ? 256 : 0) | ((128 + lane[edge]!) << 16);
    }
    const places = new Float32Array(graph.nodes * 4);
    for (let node = 0; node < graph.nodes; node += 1) {
      places[node * 4] = graph.x[node]!;
      places[node * 4 + 1] = graph.y[node]!;
      places[node * 4 + 2] = graph.degree[node]!;
    }
    this.#image(this.#textures.places, places, gl.RGBA32F, gl.RGBA, gl.FLOAT);
    this.#image(this.#textures.joints, joints, gl.RGBA32UI, gl.RGBA_INTEGER, gl.UNSIGNED_INT);
  }

  /** Moves one node. */
  move(node: number, x: number, y: number): void {
    const gl = this.#gl;
    gl.bindTexture(gl.TEXTURE_2D, this.#textures.places);
    const [column, row] = [node % ROW, Math.floor(node / ROW)];
    const told = new Float32Array([x, y, this.#degree[node]!, 0]);
    gl.texSubImage2D(gl.TEXTURE_2D, 0, column, row, 1, 1, gl.RGBA, gl.FLOAT, told);
  }

  /** Sends filters and marks. */
  shade(state: Shade): void {
    const gl = this.#gl;
    this.#count.shown = state.shownEdges;
    this.#marked = state.edges.some((bits, at) => at % 4 === 1 && (bits & (SELECTED | ON_PATH)) !== 0);
    this.#image(this.#textures.nodes, state.nodes, gl.RGBA8UI, gl.RGBA_INTEGER, gl.UNSIGNED_BYTE);
    this.#image(this.#textures.edges, state.edges, gl.RGBA8UI, gl.RGBA_INTEGER, gl.UNSIGNED_BYTE);
  }

  colours(colours: Float32Array): void {
    const gl = this.#gl;
    for (const one of [this.#nodes, this.#edges]) {
      gl.useProgram(one.program);
      gl.uniform3fv(one.uniforms["palette[0]"]!, colours);
    }
    gl.clearColor(colours[GROUND * 3]!, colours[GROUND * 3 + 1]!, colours[GROUND * 3 + 2]!, 1);
  }

  /** Draws; sizes are in pixels of the page, of which each has `density` pixels of the screen. */
  frame(camera: Camera, size: Size, density: number): void {
    const gl = this.#gl;
    gl.viewport(0, 0, Math.round(size.width * density), Math.round(size.height * density));
    gl.clear(gl.COLOR_BUFFER_BIT);
    const room = this.#unit * camera.scale;
    // The more edges lie on a pixel, the fainter each, or the middle of a large graph is one blot.
    const crowd = Math.min(
      0.75,
      Math.max(0.06, (room / 50) * Math.sqrt(1000 / Math.max(1, this.#count.shown))),
    );
    if (this.#count.edges > 0) {
      this.#begin(this.#edges, camera, size, this.#textures.edges);
      gl.activeTexture(gl.TEXTURE2);
      gl.bindTexture(gl.TEXTURE_2D, this.#textures.joints);
      gl.uniform1i(this.#edges.uniforms["joints"]!, 2);
      gl.uniform1f(this.#edges.uniforms["crowd"]!, crowd);
      const draw = (parts: 2 | 6 | 9, marked: boolean) => {
        gl.uniform1i(this.#edges.uniforms["parts"]!, parts);
        gl.uniform1i(this.#edges.uniforms["only_marked"]!, marked ? 1 : 0);
        gl.drawArrays(parts === 2 ? gl.LINES : gl.TRIANGLES, 0, parts * this.#count.edges);
      };
      // Widths and arrows are too small to be seen where nodes are a few pixels apart.
      const far = room < 12;
      draw(far ? 2 : 9, false);
      if (far && this.#marked) draw(6, true);
    }
    if (this.#count.nodes > 0) {
      this.#begin(this.#nodes, camera, size, this.#textures.nodes);
      gl.drawArrays(gl.TRIANGLES, 0, 6 * this.#count.nodes);
    }
    gl.activeTexture(gl.TEXTURE0);
  }

  /** Gives the memory of the graphics back at once: browsers allow a page few drawings at a time. */
  free(): void {
    this.#gl.getExtension("WEBGL_lose_context")?.loseContext();
  }

  #begin(what: Program, camera: Camera, size: Size, states: WebGLTexture): void {
    const gl = this.#gl;
    gl.useProgram(what.program);
    gl.activeTexture(gl.TEXTURE0);
    gl.bindTexture(gl.TEXTURE_2D, this.#textures.places);
    gl.activeTexture(gl.TEXTURE1);
    gl.bindTexture(gl.TEXTURE_2D, states);
    gl.uniform1i(what.uniforms["places"]!, 0);
    gl.uniform1i(what.uniforms["states"]!, 1);
    gl.uniform2f(what.uniforms["size"]!, size.width, size.height);
    gl.uniform3f(what.uniforms["camera"]!, camera.x, camera.y, camera.scale);
    gl.uniform1f(what.uniforms["unit"]!, this.#unit);
  }

  /** Fills a texture with four numbers for each texel. */
  #image<Data extends Float32Array | Uint32Array | Uint8Array>(
    texture: WebGLTexture,
    data: Data,
    inner: number,
    format: number,
    type: number,
  ): void {
    const gl = this.#gl;
    const rows = Math.max(1, Math.ceil(data.length / 4 / ROW));
    const whole = new (data.constructor as new (length: number) => Data)(rows * ROW * 4);
    whole.set(data);
    gl.activeTexture(gl.TEXTURE0);
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.texImage2D(gl.TEXTURE_2D, 0, inner, ROW, rows, 0, format, type, whole);
  }

  #program(vertex: string, fragment: string): Program {
    const gl = this.#gl;
    const program = gl.createProgram();
    const shaders = (
      [
        [gl.VERTEX_SHADER, vertex],
        [gl.FRAGMENT_SHADER, fragment],
      ] as const
    ).map(([kind, text]) => {
      const shader = gl.createShader(kind);
      if (!shader) throw new Error("the graphics of this browser stopped");
      gl.shaderSource(shader, text);
      gl.compileShader(shader);
      gl.attachShader(program, shader);
      return shader;
    });
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS)) {
      const why = shaders
        .map((shader) => gl.getShaderInfoLog(shader))
        .filter(Boolean)
        .join(" ");
      throw new Error(
        `this browser's WebGL2 does not take the drawing: ${why || gl.getProgramInfoLog(program)}`,
      );
    }
    for (const shader of shaders) gl.deleteShader(shader);
    const uniforms: Program["uniforms"] = {};
    const names = [
      "places",
      "states",
      "size",
      "camera",
      "unit",
      "palette[0]",
      "joints",
      "crowd",
      "parts",
      "only_marked",
    ];
    for (const name of names) uniforms[name] = gl.getUniformLocation(program, name);
    return { program, uniforms };
  }
}
