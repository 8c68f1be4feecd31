// The whole graph on a canvas: dragged, zoomed, pointed at, walked by arrow keys, and lit up by a search.

const BATCH = 64; // lines drawn as one: a single path of thousands takes several times as long
const frame = document.getElementById("graph");
if (frame) draw(frame);

async function draw(frame) {
  const canvas = frame.querySelector("canvas");
  const chosen = frame.querySelector(".chosen");
  const field = document.getElementById("q");
  const context = canvas.getContext("2d");
  const answer = await fetch(frame.dataset.from, { headers: { "x-trilith-part": "graph" } });
  if (!answer.ok) return void (chosen.textContent = "The graph could not be loaded.");
  const { nodes, edges } = await answer.json();
  const count = nodes.length;
  const flat = Int32Array.from(edges.flat());
  const near = Array.from({ length: count }, () => []);
  for (const [a, b] of edges) near[a].push(b), near[b].push(a);
  const names = nodes.map((node) => node[1].toLowerCase());
  const radius = Float32Array.from(nodes, (node) => 2.6 + 1.5 * Math.sqrt(node[4]));
  const byLinks = nodes.map((_, place) => place).sort((a, b) => nodes[b][4] - nodes[a][4]);
  let x = new Float32Array(count), y = new Float32Array(count);
  let colours = [], ink = "", soft = "", line = "", ground = "", accent = "";
  let group = 2, scale = 1, ox = 0, oy = 0, fitted = true, current = -1, found = null, waiting = 0, dirty = false, asking = null;

  // Dots grow with the drawing up to a point: of a small vault, names are worth more than discs.
  const reach = (place) => Math.max(radius[place] * Math.min(1, 1.1 / scale), 1.4 / scale);

  const quiet = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const worker = new Worker(frame.dataset.worker);
  worker.onmessage = ({ data }) => {
    ({ x, y } = data);
    if (fitted) fit();
    if (data.done) {
      worker.terminate();
      frame.dataset.done = "true";
      const place = nodes.findIndex((node) => node[0] === frame.dataset.note);
      if (place >= 0) choose(place, true);
      else chosen.textContent = "Point at a dot, or use the arrow keys.";
    }
    redraw();
  };
  worker.postMessage({ count, edges: flat, groups: Int32Array.from(nodes, (node) => node[2]), quiet });

  function dress() {
    const value = (name) => {
      canvas.style.color = `var(${name})`;
      return getComputedStyle(canvas).color; // as a canvas can use it, light or dark
    };
    colours = Array.from({ length: 9 }, (_, n) => value(`--c${n}`));
    colours[-1] = value("--edge");
    [ink, soft, line, ground, accent] = ["--ink", "--soft", "--thread", "--sheet", "--accent"].map(value);
    redraw();
  }

  function size() {
    const { clientWidth: width, clientHeight: height } = frame;
    const dots = devicePixelRatio || 1;
    canvas.width = width * dots;
    canvas.height = height * dots;
    if (fitted) fit();
    redraw();
  }

  function fit() {
    let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity];
    for (let i = 0; i < count; i++) {
      left = Math.min(left, x[i] - radius[i]), right = Math.max(right, x[i] + radius[i]);
      top = Math.min(top, y[i] - radius[i]), bottom = Math.max(bottom, y[i] + radius[i]);
    }
    const width = right - left || 1, height = bottom - top || 1;
    scale = Math.min((frame.clientWidth - 40) / width, (frame.clientHeight - 70) / height, 3);
    ox = frame.clientWidth / 2 - (scale * (left + right)) / 2;
    oy = frame.clientHeight / 2 - (scale * (top + bottom)) / 2;
  }

  function redraw() {
    if (dirty) return;
    dirty = true;
    requestAnimationFrame(paint);
  }

  function paint() {
    dirty = false;
    const dots = devicePixelRatio || 1;
    context.setTransform(dots, 0, 0, dots, 0, 0);
    context.clearRect(0, 0, frame.clientWidth, frame.clientHeight);
    context.setTransform(dots * scale, 0, 0, dots * scale, dots * ox, dots * oy);
    const around = current >= 0 ? new Set([current, ...near[current]]) : null;
    const lit = (place) => (around ? around.has(place) : !found || found.has(place));
    threads(null, line, around || found ? 0.35 : 0.8);
    if (around) threads(current, accent, 0.9);
    for (let pass = 0; pass < 2; pass++) {
      context.globalAlpha = pass ? 1 : 0.22;
      for (let colour = -1; colour < 9; colour++) {
        context.fillStyle = colours[colour];
        context.beginPath();
        for (let i = 0; i < count; i++) {
          if (nodes[i][group] !== colour || lit(i) !== Boolean(pass)) continue;
          const r = reach(i);
          if (r * scale < 2) {
            context.rect(x[i] - r, y[i] - r, 2 * r, 2 * r);
            continue;
          }
          context.moveTo(x[i] + r, y[i]);
          context.arc(x[i], y[i], r, 0, 6.2832);
        }
        context.fill();
      }
    }
    context.globalAlpha = 1;
    if (current >= 0) ring(current);
    labels(around, lit);
  }

  function threads(of, colour, alpha) {
    context.strokeStyle = colour;
    context.globalAlpha = alpha;
    context.lineWidth = (of === null ? 0.7 : 1.3) / scale;
    let some = 0;
    context.beginPath();
    for (let e = 0; e < flat.length; e += 2) {
      const a = flat[e], b = flat[e + 1];
      if (of !== null && a !== of && b !== of) continue;
      context.moveTo(x[a], y[a]);
      context.lineTo(x[b], y[b]);
      if (++some % BATCH === 0) {
        context.stroke();
        context.beginPath();
      }
    }
    context.stroke();
  }

  function ring(place) {
    context.strokeStyle = ink;
    context.lineWidth = 2 / scale;
    context.beginPath();
    context.arc(x[place], y[place], reach(place) + 2 / scale, 0, 6.2832);
    context.stroke();
  }

  // Names of what is looked at, and of the most linked notes as far as there is room for them.
  function labels(around, lit) {
    const dots = devicePixelRatio || 1;
    context.setTransform(dots, 0, 0, dots, 0, 0);
    context.font = `12px ${getComputedStyle(document.body).fontFamily}`;
    context.textBaseline = "middle";
    context.lineJoin = "round";
    const taken = [];
    const wanted = current >= 0 ? [current, ...byLinks.filter((i) => i !== current)] : byLinks;
    for (const i of wanted) {
      if (taken.length > 40) break;
      if (!lit(i)) continue;
      const px = x[i] * scale + ox, py = y[i] * scale + oy;
      if (px < 0 || py < 0 || px > frame.clientWidth || py > frame.clientHeight) continue;
      if (!around && !found && radius[i] * scale < 5.5) continue;
      const name = nodes[i][1].length > 34 ? `${nodes[i][1].slice(0, 33)}…` : nodes[i][1];
      const width = context.measureText(name).width, beside = reach(i) * scale + 4;
      const left = px + beside + width > frame.clientWidth ? px - beside - width : px + beside;
      if (taken.some(([l, t, r]) => left < r && left + width > l && Math.abs(t - py) < 15)) continue;
      taken.push([left, py, left + width]);
      context.strokeStyle = ground;
      context.lineWidth = 3;
      context.strokeText(name, left, py);
      context.fillStyle = i === current ? ink : soft;
      context.fillText(name, left, py);
    }
  }

  function at(event) {
    const box = canvas.getBoundingClientRect();
    const px = (event.clientX - box.left - ox) / scale, py = (event.clientY - box.top - oy) / scale;
    let best = -1, least = Infinity;
    for (let i = 0; i < count; i++) {
      const far = Math.hypot(x[i] - px, y[i] - py) - reach(i);
      if (far < least) (least = far), (best = i);
    }
    return least < 8 / scale ? best : -1;
  }

  function choose(place, centre) {
    current = place;
    const links = place >= 0 ? nodes[place][4] : 0;
    chosen.textContent = place >= 0 ? ` · ${links} ${links === 1 ? "link" : "links"}` : "";
    if (place >= 0) chosen.prepend(Object.assign(document.createElement("bdi"), { textContent: nodes[place][1] }));
    canvas.style.cursor = place >= 0 ? "pointer" : "grab";
    if (centre && place >= 0) {
      const px = x[place] * scale + ox, py = y[place] * scale + oy;
      if (px < 40 || py < 40 || px > frame.clientWidth - 40 || py > frame.clientHeight - 40) {
        ox += frame.clientWidth / 2 - px;
        oy += frame.clientHeight / 2 - py;
        fitted = false;
      }
    }
    redraw();
  }

  function zoom(factor, px = frame.clientWidth / 2, py = frame.clientHeight / 2) {
    if (!factor) {
      fitted = true;
      fit();
      return redraw();
    }
    fitted = false;
    const next = Math.min(Math.max(scale * factor, 0.02), 12);
    ox = px - ((px - ox) * next) / scale;
    oy = py - ((py - oy) * next) / scale;
    scale = next;
    redraw();
  }

  const open = (place) => place >= 0 && (location.href = frame.dataset.notes + nodes[place][0]);
  const held = new Map();
  let moved = 0;

  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    held.set(event.pointerId, event);
    moved = 0;
  });
  canvas.addEventListener("pointermove", (event) => {
    const former = held.get(event.pointerId);
    if (!former) return void (event.pointerType === "mouse" && choose(at(event), false));
    const others = [...held.values()].filter((other) => other.pointerId !== event.pointerId);
    const box = canvas.getBoundingClientRect();
    if (others.length) {
      const [other] = others;
      const before = Math.hypot(former.clientX - other.clientX, former.clientY - other.clientY) || 1;
      const after = Math.hypot(event.clientX - other.clientX, event.clientY - other.clientY) || 1;
      zoom(after / before, (event.clientX + other.clientX) / 2 - box.left, (event.clientY + other.clientY) / 2 - box.top);
    } else {
      ox += event.clientX - former.clientX;
      oy += event.clientY - former.clientY;
      fitted = false;
      redraw();
    }
    moved += Math.abs(event.clientX - former.clientX) + Math.abs(event.clientY - former.clientY);
    held.set(event.pointerId, event);
  });
  canvas.addEventListener("pointerup", (event) => {
    held.delete(event.pointerId);
    if (moved > 4) return;
    const place = at(event);
    if (event.pointerType === "mouse" || place === current) open(place);
    else choose(place, false);
  });
  canvas.addEventListener("pointercancel", (event) => held.delete(event.pointerId));
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    const box = canvas.getBoundingClientRect();
    zoom(Math.exp(-event.deltaY * 0.0015), event.clientX - box.left, event.clientY - box.top);
  }, { passive: false });

  const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  canvas.addEventListener("keydown", (event) => {
    if (ways[event.key]) {
      event.preventDefault();
      const next = current < 0 ? byLinks.find(isFound) : beside(...ways[event.key]);
      if (next !== undefined) choose(next, true);
    } else if (event.key === "Enter") open(current);
    else if (event.key === "+" || event.key === "=") zoom(1.4);
    else if (event.key === "-") zoom(0.7);
    else if (event.key === "0") zoom(0);
    else if (event.key === "Escape") choose(-1, false);
  });

  // While notes are lit up, the arrow keys go among those alone.
  const isFound = (place) => !found || found.has(place);

  // The nearest dot that way; what lies off the way counts double.
  function beside(wx, wy) {
    let best = current, least = Infinity;
    for (let i = 0; i < count; i++) {
      const ahead = (x[i] - x[current]) * wx + (y[i] - y[current]) * wy;
      const aside = Math.abs((x[i] - x[current]) * wy) + Math.abs((y[i] - y[current]) * wx);
      if (i !== current && isFound(i) && ahead > 0 && ahead + 2 * aside < least) (least = ahead + 2 * aside), (best = i);
    }
    return best;
  }

  for (const button of frame.querySelectorAll("[data-zoom]")) {
    button.addEventListener("click", () => zoom(Number(button.dataset.zoom)));
  }
  for (const radio of document.querySelectorAll("[name=colour]")) {
    radio.addEventListener("change", () => {
      group = radio.value === "folder" ? 2 : 3;
      for (const list of document.querySelectorAll(".legend")) list.hidden = list.dataset.colour !== radio.value;
      redraw();
    });
  }

  // Titles light up at once, what the search finds a moment later.
  field.addEventListener("input", () => {
    clearTimeout(waiting);
    asking?.abort();
    const text = field.value.trim().toLowerCase();
    current = -1;
    found = text ? new Set(byLinks.filter((place) => names[place].includes(text))) : null;
    tell();
    if (text) waiting = setTimeout(search, 120, text);
    redraw();
  });

  async function search(text) {
    asking = new AbortController();
    try {
      const answer = await fetch(`${frame.dataset.found}?${new URLSearchParams({ q: text })}`, {
        headers: { "x-trilith-part": "found" },
        signal: asking.signal,
      });
      if (!answer.ok) return;
      const ids = new Set((await answer.json()).found);
      nodes.forEach((node, place) => ids.has(node[0]) && found.add(place));
      tell();
      redraw();
    } catch (failure) {
      if (failure.name !== "AbortError") throw failure;
    }
  }

  function tell() {
    frame.dataset.lit = found ? found.size : "";
    chosen.textContent = found ? `${found.size} ${found.size === 1 ? "note" : "notes"}` : "";
  }

  addEventListener("themechange", dress);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", dress);
  new ResizeObserver(size).observe(frame);
  dress();
  size();
}
