// Where the dots of a graph come to rest: links pull, dots push each other away (Barnes and Hut, Nature 324, 1986), and all
// are drawn a little to the middle. Runs beside the page and tells it from time to time how far it is.

const TICKS = 240;
const NEAR = 0.81; // the square of how wide a far group may look to be taken as one dot
const PUSH = 38;
const PULL = 0.06;
const LENGTH = 26;
const HOME = 0.012;

onmessage = ({ data: { count, edges, groups, quiet } }) => {
  const x = new Float32Array(count), y = new Float32Array(count);
  const vx = new Float32Array(count), vy = new Float32Array(count);
  const degree = new Float32Array(count);
  for (const place of edges) degree[place]++;
  begin(x, y, groups);
  let told = 0;
  for (let tick = 0; tick < TICKS; tick++) {
    const heat = Math.pow(1 - tick / TICKS, 1.4);
    pull(x, y, vx, vy, edges, degree, heat);
    push(x, y, vx, vy, heat);
    for (let i = 0; i < count; i++) {
      vx[i] -= x[i] * HOME * heat;
      vy[i] -= y[i] * HOME * heat;
      x[i] += vx[i] *= 0.6;
      y[i] += vy[i] *= 0.6;
    }
    const now = performance.now();
    if (!quiet && now - told > 120) {
      told = now;
      postMessage({ x: x.slice(), y: y.slice(), done: false });
    }
  }
  postMessage({ x, y, done: true });
};

// Dots of a group begin beside each other, on a sunflower's spiral: the same graph comes out the same each time.
function begin(x, y, groups) {
  const order = Array.from(groups.keys()).sort((a, b) => groups[a] - groups[b] || a - b);
  order.forEach((place, rank) => {
    const turn = (2 * Math.PI * rank) / order.length;
    const far = 8 * Math.sqrt(order.length) * (0.6 + 0.4 * ((rank * 0.618034) % 1));
    x[place] = far * Math.cos(turn);
    y[place] = far * Math.sin(turn);
  });
}

function pull(x, y, vx, vy, edges, degree, heat) {
  for (let e = 0; e < edges.length; e += 2) {
    const a = edges[e], b = edges[e + 1];
    const dx = x[b] - x[a], dy = y[b] - y[a];
    const far = Math.hypot(dx, dy) || 0.01;
    const strength = (PULL * heat * (far - LENGTH)) / far / Math.sqrt(Math.min(degree[a], degree[b]));
    const share = degree[a] / (degree[a] + degree[b]);
    vx[a] += dx * strength * (1 - share);
    vy[a] += dy * strength * (1 - share);
    vx[b] -= dx * strength * share;
    vy[b] -= dy * strength * share;
  }
}

// A tree of squares in flat arrays: of each its weight, its middle, its width and the first of its four parts.
function push(x, y, vx, vy, heat) {
  const count = x.length;
  let size = 1;
  for (let i = 0; i < count; i++) size = Math.max(size, Math.abs(x[i]) * 2.02, Math.abs(y[i]) * 2.02);
  const most = 8 * count + 64;
  const weight = new Float32Array(most), mx = new Float32Array(most), my = new Float32Array(most);
  const cx = new Float32Array(most), cy = new Float32Array(most), width = new Float32Array(most);
  const first = new Int32Array(most), dot = new Int32Array(most).fill(-1);
  let used = 1;
  width[0] = size;
  for (let i = 0; i < count; i++) insert(i);

  function insert(i) {
    let at = 0;
    for (let depth = 0; depth < 40; depth++) {
      const total = weight[at] + 1;
      mx[at] += (x[i] - mx[at]) / total;
      my[at] += (y[i] - my[at]) / total;
      weight[at] = total;
      if (total === 1) return void (dot[at] = i);
      if (!first[at]) {
        if (used + 4 >= most || width[at] < 0.01) return;
        first[at] = used;
        for (let part = 0; part < 4; part++, used++) {
          width[used] = width[at] / 2;
          cx[used] = cx[at] + (part & 1 ? 1 : -1) * (width[at] / 4);
          cy[used] = cy[at] + (part & 2 ? 1 : -1) * (width[at] / 4);
        }
        const former = dot[at];
        dot[at] = -1;
        if (former >= 0) {
          const below = first[at] + side(at, x[former], y[former]);
          weight[below] = 1;
          mx[below] = x[former];
          my[below] = y[former];
          dot[below] = former;
        }
      }
      at = first[at] + side(at, x[i], y[i]);
    }
  }

  function side(at, px, py) {
    return (px > cx[at] ? 1 : 0) | (py > cy[at] ? 2 : 0);
  }

  const stack = new Int32Array(256);
  for (let i = 0; i < count; i++) {
    let top = 1;
    stack[0] = 0;
    let fx = 0, fy = 0;
    while (top) {
      const at = stack[--top];
      if (!weight[at] || dot[at] === i) continue;
      const dx = x[i] - mx[at], dy = y[i] - my[at];
      const far = dx * dx + dy * dy + 0.5;
      if (!first[at] || width[at] * width[at] < NEAR * far) {
        const force = (PUSH * weight[at]) / far;
        fx += dx * force;
        fy += dy * force;
      } else {
        for (let part = 0; part < 4; part++) stack[top++] = first[at] + part;
      }
    }
    vx[i] += fx * heat * 0.12;
    vy[i] += fy * heat * 0.12;
  }
}
