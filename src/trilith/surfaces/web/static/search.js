// Search as you type: every change asks for the list anew, and what is no longer wanted is cancelled.

const PAUSE = 10; // milliseconds without a key before anything is asked
const form = document.getElementById("search");
const field = document.getElementById("q");
const results = document.getElementById("results");
const said = document.getElementById("said");
const filters = document.getElementById("filters");
let asking = null;
let waiting = 0;

if (matchMedia("(min-width: 60rem)").matches) filters.open = true;
form.classList.add("live");

function wanted() {
  const given = new URLSearchParams();
  for (const [name, value] of new FormData(form)) {
    if (value !== "" && !(name === "mode" && value === "hybrid")) given.append(name, value);
  }
  return given.toString();
}

const address = (query) => form.getAttribute("action") + (query ? `?${query}` : "");

async function ask(remember) {
  clearTimeout(waiting);
  asking?.abort();
  const turn = (asking = new AbortController());
  const query = wanted();
  count(query);
  if (remember) history.pushState(null, "", address(query));
  else history.replaceState(history.state, "", address(query));
  results.setAttribute("aria-busy", "true");
  try {
    const answer = await fetch(`${form.dataset.results}?${query}`, {
      headers: { "x-trilith-part": "results" },
      signal: turn.signal,
    });
    if (answer.status === 401) return location.reload();
    show(await answer.text());
  } catch (failure) {
    if (failure.name === "AbortError") return;
    show("<div class='empty'><h2>The server does not answer</h2><p>Is it still running?</p></div>");
  } finally {
    if (turn === asking) results.removeAttribute("aria-busy");
  }
}

function show(html) {
  results.innerHTML = html;
  said.textContent = results.querySelector("[data-said]")?.dataset.said ?? results.textContent.trim();
  document.title = field.value.trim() ? `${field.value.trim()} · Trilith` : "Trilith";
  performance.mark("results");
}

function count(query) {
  const badge = filters.querySelector(".badge");
  const set = [...new URLSearchParams(query).keys()].filter((name) => !["q", "mode", "limit"].includes(name));
  badge.textContent = set.length;
  badge.hidden = set.length === 0;
}

// What is not ready yet is looked at again until it is; the shortest page there is tells.
async function watch() {
  const state = document.getElementById("state");
  if (!state) return;
  if (!document.hidden) {
    const answer = await fetch(form.getAttribute("action")).catch(() => null);
    if (answer?.ok) {
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const now = page.getElementById("state")?.textContent;
      if (!now) return state.remove();
      if (now !== state.textContent) state.textContent = now;
    }
  }
  setTimeout(watch, 3000);
}
setTimeout(watch, 3000);

const links = () => [...results.querySelectorAll(".hit h3 a")];

function move(step) {
  const all = links();
  const next = all.indexOf(document.activeElement) + step;
  if (next < 0) field.focus();
  else all[Math.min(next, all.length - 1)]?.focus();
}

form.addEventListener("input", (event) => {
  clearTimeout(waiting);
  keep("limit", null);
  results.setAttribute("aria-busy", "true");
  if (event.target === field) waiting = setTimeout(ask, PAUSE, false);
  else if (event.target.type === "text") waiting = setTimeout(ask, 250, false);
  else ask(true);
});

form.addEventListener("submit", (event) => {
  event.preventDefault();
  const first = links()[0];
  if (document.activeElement === field && first && !results.hasAttribute("aria-busy")) location.href = first.href;
  else ask(true);
});

form.addEventListener("click", (event) => {
  const link = event.target.closest(".more a, .about a, .clear");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  fill(new URL(link.href).searchParams);
  ask(true);
});

// `toggle` does not rise to the list, so that it is caught on its way down.
results.addEventListener("toggle", async ({ target }) => {
  const place = target.querySelector(":scope > div:empty");
  if (!target.open || !place) return;
  const answer = await fetch(target.dataset.from, { headers: { "x-trilith-part": "why" } });
  place.innerHTML = await answer.text();
}, true);

function fill(given) {
  for (const input of form.elements) {
    if (input.type === "radio") input.checked = input.value === (given.get("mode") ?? "hybrid");
    else if (input.type === "checkbox") input.checked = given.getAll("tags").includes(input.value);
    else if (input.name) input.value = given.get(input.name) ?? "";
  }
  for (const tag of given.getAll("tags")) if (!form.querySelector(`[name=tags][value="${CSS.escape(tag)}"]`)) add(tag);
  keep("limit", given.get("limit"));
}

function add(tag) {
  const input = Object.assign(document.createElement("input"), { type: "checkbox", name: "tags", value: tag, checked: true });
  const label = document.createElement("label");
  label.append(input, Object.assign(document.createElement("span"), { textContent: tag }));
  form.querySelector(".tags legend")?.after(label);
}

function keep(name, value) {
  form.querySelector(`input[type=hidden][name=${name}]`)?.remove();
  if (value) form.append(Object.assign(document.createElement("input"), { type: "hidden", name, value }));
}

addEventListener("keydown", (event) => {
  if (event.key === "Escape") {
    if (document.activeElement === field && field.value) {
      field.value = "";
      ask(false);
    } else {
      field.focus();
      field.select();
    }
  } else if (event.key === "ArrowDown" && (event.target === field || event.target.closest(".hit"))) {
    event.preventDefault();
    move(1);
  } else if (event.key === "ArrowUp" && event.target.closest(".hit")) {
    event.preventDefault();
    move(-1);
  }
});

addEventListener("popstate", () => location.reload());
