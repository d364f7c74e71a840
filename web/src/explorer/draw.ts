// The drawing: two instanced programs, one for edges and one for nodes. Positions and states are textures with one
// texel for each node or edge; geometry is sent once, the camera is a uniform.

import type { Camera, Size } from "./camera.js";
import type { Graph } from "./graph.js";
import { DASHED, FADED, GROUND, HIDDEN, MARKED, ON_PATH, OPENED, PALETTE, PINNED, SELECTED, type Shade } from "./shade.js";

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
vec2 pixel(int node) { return (texelFetch(places, texel(node), 0).xy - camera.xy) * camera.z; }
vec4 position(vec2 at, float depth) { return vec4(at.x / size.x * 2.0, -at.y / size.y * 2.0, depth, 1.0); }
float radius(float degree) {
  float grown = unit * camera.z * (0.075 + 0.035 * log2(1.0 + degree));
  return min(34.0, max(1.4 + 0.35 * log2(1.0 + degree), grown));
}
`;

const NODE_VERTEX = `${SHARED}
in float degree;
out vec2 at;
flat out vec3 colour;
flat out uvec4 state;
flat out float reach;
void main() {
  state = texelFetch(states, texel(gl_InstanceID), 0);
  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
  reach = radius(degree);
  if ((state.y & ${SELECTED | ON_PATH}u) != 0u) reach = max(reach, 5.0);
  // The square leaves room for the soft border and for the ring of what is marked.
  float room = reach * 1.2 + 6.0;
  at = corner * room;
  colour = palette[state.x];
  vec2 middle = pixel(gl_InstanceID);
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
  if (state.w == 1u) { vec2 q = abs(at) - reach * 0.55; return length(max(q, 0.0)) + min(max(q.x, q.y), 0.0) - reach * 0.3; }
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
in uvec2 ends;
in vec4 look;
uniform sampler2D degrees;
uniform float crowd;
flat out vec4 colour;
flat out float dashes;
out float run;
out float side;
flat out float half_width;
float thickness(bool marked) {
  // Thinner where nodes are close together on the screen.
  return marked ? 2.4 + look.x * 2.0 : 0.7 + look.x * 2.3 * clamp(unit * camera.z / 50.0, 0.15, 1.0);
}
void main() {
  uvec4 state = texelFetch(states, texel(gl_InstanceID), 0);
  vec2 a = pixel(int(ends.x));
  vec2 b = pixel(int(ends.y));
  vec2 ahead = b - a;
  float span = length(ahead);
  bool marked = (state.y & ${SELECTED | ON_PATH}u) != 0u;
  vec2 half_size = size * 0.5;
  bool gone = (state.y & ${HIDDEN}u) != 0u || span < 0.5
    || max(a.x, b.x) < -half_size.x || min(a.x, b.x) > half_size.x
    || max(a.y, b.y) < -half_size.y || min(a.y, b.y) > half_size.y;
  gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
  if (gone) return;
  ahead /= span;
  vec2 across = vec2(-ahead.y, ahead.x);
  float shift = (look.z * 255.0 - 128.0) * ${LANE.toFixed(1)};
  a += across * shift;
  b += across * shift;
  float stop = radius(texelFetch(degrees, texel(int(ends.y)), 0).x);
  bool directed = look.y > 0.5;
  float width = thickness(marked);
  float head = directed && span > stop + 14.0 ? min(10.0, 5.0 + width * 1.5) : 0.0;
  float strength = float(state.z) / 255.0 * (marked ? 1.0 : crowd);
  if ((state.y & ${FADED}u) != 0u) strength *= 0.12;
  colour = vec4(marked ? palette[${MARKED}] : palette[state.x], strength);
  dashes = (state.y & ${DASHED}u) != 0u ? 1.0 : 0.0;
  half_width = width * 0.5;
  float end = head > 0.0 ? max(span - stop - head, 0.0) : span;
  if (gl_VertexID < 6) {
    // Two triangles: corners 0 1 2 and 2 1 3.
    int corner = gl_VertexID < 3 ? gl_VertexID : (gl_VertexID == 3 ? 2 : gl_VertexID == 4 ? 1 : 3);
    run = (corner & 1) == 0 ? 0.0 : end;
    side = ((corner >> 1) == 0 ? -1.0 : 1.0) * (half_width + 1.0);
    gl_Position = position(a + ahead * run + across * side, 0.0);
  } else if (head > 0.0) {
    int corner = gl_VertexID - 6;
    run = 0.0;
    side = 0.0;
    dashes = 0.0;
    colour.a = min(1.0, colour.a * 1.5);
    vec2 tip = a + ahead * (span - stop);
    vec2 point = corner == 0 ? tip : tip - ahead * head + across * (corner == 1 ? -1.0 : 1.0) * head * 0.45;
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

/** The side of a square that each node would have if they were spread evenly: what sizes are measured in. */
export function spacing(graph: Graph): number {
  if (graph.nodes < 2) return 100;
  let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity];
  for (let node = 0; node < graph.nodes; node += 1) {
    left = Math.min(left, graph.x[node]!);
    right = Math.max(right, graph.x[node]!);
    top = Math.min(top, graph.y[node]!);
    bottom = Math.max(bottom, graph.y[node]!);
  }
  const [width, height] = [right - left, bottom - top];
  return Math.sqrt((Math.max(width, height / 4) * Math.max(height, width / 4)) / graph.nodes) || 100;
}

interface Program {
  program: WebGLProgram;
  vertices: WebGLVertexArrayObject;
  uniforms: Record<string, WebGLUniformLocation | null>;
}

export class Drawing {
  readonly #gl: WebGL2RenderingContext;
  readonly #nodes: Program;
  readonly #edges: Program;
  readonly #buffers: WebGLBuffer[] = [];
  readonly #textures: Record<"places" | "degrees" | "nodes" | "edges", WebGLTexture>;
  #count = { nodes: 0, edges: 0, shown: 0 };
  #unit = 100;

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
      for (const name of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) gl.texParameteri(gl.TEXTURE_2D, name, gl.NEAREST);
      for (const name of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T]) gl.texParameteri(gl.TEXTURE_2D, name, gl.CLAMP_TO_EDGE);
      return made;
    };
    this.#textures = { places: texture(), degrees: texture(), nodes: texture(), edges: texture() };
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
  }

  /** Sends the geometry of a graph. */
  load(graph: Graph, unit: number): void {
    const gl = this.#gl;
    this.#count = { nodes: graph.nodes, edges: graph.edges, shown: graph.edges };
    this.#unit = unit;
    for (const buffer of this.#buffers.splice(0)) gl.deleteBuffer(buffer);
    const degrees = Float32Array.from(graph.degree);
    const ends = new Uint32Array(graph.edges * 2);
    const look = new Uint8Array(graph.edges * 4);
    const lane = lanes(graph);
    for (let edge = 0; edge < graph.edges; edge += 1) {
      ends[edge * 2] = graph.from[edge]!;
      ends[edge * 2 + 1] = graph.to[edge]!;
      look[edge * 4] = Math.round(Math.min(1, Math.max(0, graph.weight[edge]!)) * 255);
      look[edge * 4 + 1] = graph.head.directed[graph.kind[edge]!] ? 255 : 0;
      look[edge * 4 + 2] = 128 + lane[edge]!;
    }
    gl.bindVertexArray(this.#nodes.vertices);
    this.#attribute(this.#nodes, "degree", degrees, (at) => gl.vertexAttribPointer(at, 1, gl.FLOAT, false, 0, 0));
    gl.bindVertexArray(this.#edges.vertices);
    this.#attribute(this.#edges, "ends", ends, (at) => gl.vertexAttribIPointer(at, 2, gl.UNSIGNED_INT, 0, 0));
    this.#attribute(this.#edges, "look", look, (at) => gl.vertexAttribPointer(at, 4, gl.UNSIGNED_BYTE, true, 0, 0));
    gl.bindVertexArray(null);
    const places = new Float32Array(graph.nodes * 2);
    for (let node = 0; node < graph.nodes; node += 1) {
      places[node * 2] = graph.x[node]!;
      places[node * 2 + 1] = graph.y[node]!;
    }
    this.#image(this.#textures.places, places, 2, gl.RG32F, gl.RG, gl.FLOAT);
    this.#image(this.#textures.degrees, degrees, 1, gl.R32F, gl.RED, gl.FLOAT);
  }

  /** Moves one node. */
  move(node: number, x: number, y: number): void {
    const gl = this.#gl;
    gl.bindTexture(gl.TEXTURE_2D, this.#textures.places);
    const [column, row] = [node % ROW, Math.floor(node / ROW)];
    gl.texSubImage2D(gl.TEXTURE_2D, 0, column, row, 1, 1, gl.RG, gl.FLOAT, new Float32Array([x, y]));
  }

  /** Sends filters and marks. */
  shade(state: Shade): void {
    const gl = this.#gl;
    this.#count.shown = state.shownEdges;
    this.#image(this.#textures.nodes, state.nodes, 4, gl.RGBA8UI, gl.RGBA_INTEGER, gl.UNSIGNED_BYTE);
    this.#image(this.#textures.edges, state.edges, 4, gl.RGBA8UI, gl.RGBA_INTEGER, gl.UNSIGNED_BYTE);
  }

  colours(colours: Float32Array): void {
    const gl = this.#gl;
    for (const one of [this.#nodes, this.#edges]) {
      gl.useProgram(one.program);
      gl.uniform3fv(one.uniforms["palette[0]"]!, colours);
    }
    gl.clearColor(colours[GROUND * 3]!, colours[GROUND * 3 + 1]!, colours[GROUND * 3 + 2]!, 1);
  }

  /** Draws; sizes are in pixels of the page, `density` is how many of the screen's there are to one of those. */
  frame(camera: Camera, size: Size, density: number): void {
    const gl = this.#gl;
    gl.viewport(0, 0, Math.round(size.width * density), Math.round(size.height * density));
    gl.clear(gl.COLOR_BUFFER_BIT);
    const room = this.#unit * camera.scale;
    // The more edges lie on a pixel, the fainter each, or the middle of a large graph is one blot.
    const crowd = Math.min(0.75, Math.max(0.06, (room / 50) * Math.sqrt(1000 / Math.max(1, this.#count.shown))));
    if (this.#count.edges > 0) {
      this.#begin(this.#edges, camera, size, this.#textures.edges);
      gl.activeTexture(gl.TEXTURE2);
      gl.bindTexture(gl.TEXTURE_2D, this.#textures.degrees);
      gl.uniform1i(this.#edges.uniforms["degrees"]!, 2);
      gl.uniform1f(this.#edges.uniforms["crowd"]!, crowd);
      // Arrows are too small to be seen where nodes are a few pixels apart.
      gl.drawArraysInstanced(gl.TRIANGLES, 0, room > 12 ? 9 : 6, this.#count.edges);
    }
    if (this.#count.nodes > 0) {
      this.#begin(this.#nodes, camera, size, this.#textures.nodes);
      gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, this.#count.nodes);
    }
    gl.bindVertexArray(null);
    gl.activeTexture(gl.TEXTURE0);
  }

  /** Gives the memory of the graphics back at once: browsers allow a page few drawings at a time. */
  free(): void {
    this.#gl.getExtension("WEBGL_lose_context")?.loseContext();
  }

  #begin(what: Program, camera: Camera, size: Size, states: WebGLTexture): void {
    const gl = this.#gl;
    gl.useProgram(what.program);
    gl.bindVertexArray(what.vertices);
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

  #attribute(of: Program, name: string, data: Float32Array | Uint32Array | Uint8Array, point: (at: number) => void): void {
    const gl = this.#gl;
    const buffer = gl.createBuffer();
    this.#buffers.push(buffer);
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.bufferData(gl.ARRAY_BUFFER, data, gl.STATIC_DRAW);
    const at = gl.getAttribLocation(of.program, name);
    gl.enableVertexAttribArray(at);
    point(at);
    gl.vertexAttribDivisor(at, 1);
  }

  #image(
    texture: WebGLTexture, data: Float32Array | Uint8Array, parts: number, inner: number, format: number, type: number,
  ): void {
    const gl = this.#gl;
    const rows = Math.max(1, Math.ceil(data.length / parts / ROW));
    const whole = data instanceof Float32Array ? new Float32Array(rows * ROW * parts) : new Uint8Array(rows * ROW * parts);
    whole.set(data);
    gl.activeTexture(gl.TEXTURE0);
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.texImage2D(gl.TEXTURE_2D, 0, inner, ROW, rows, 0, format, type, whole);
  }

  #program(vertex: string, fragment: string): Program {
    const gl = this.#gl;
    const program = gl.createProgram();
    const shaders = ([[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]] as const).map(([kind, text]) => {
      const shader = gl.createShader(kind);
      if (!shader) throw new Error("the graphics of this browser stopped");
      gl.shaderSource(shader, text);
      gl.compileShader(shader);
      gl.attachShader(program, shader);
      return shader;
    });
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS)) {
      const why = shaders.map((shader) => gl.getShaderInfoLog(shader)).filter(Boolean).join(" ");
      throw new Error(`this browser's WebGL2 does not take the drawing: ${why || gl.getProgramInfoLog(program)}`);
    }
    for (const shader of shaders) gl.deleteShader(shader);
    const uniforms: Program["uniforms"] = {};
    const names = ["places", "states", "size", "camera", "unit", "palette[0]", "degrees", "crowd"];
    for (const name of names) uniforms[name] = gl.getUniformLocation(program, name);
    return { program, vertices: gl.createVertexArray(), uniforms };
  }
}
