// A note's page: what is near in meaning comes after the rest; addresses are copied whole.

const near = document.getElementById("nearest");
const place = near.querySelector("div");

try {
  const answer = await fetch(near.dataset.from, { headers: { "x-trilith-part": "nearest" } });
  const text = await answer.text();
  if (answer.ok) place.innerHTML = text;
  else place.innerHTML = '<p class="faint">Search by meaning is not available.</p>';
} catch {
  place.innerHTML = '<p class="faint">The server does not answer.</p>';
}

for (const button of document.querySelectorAll("[data-copy-address]")) {
  button.dataset.copy = new URL(button.dataset.copy, location.href).href;
}

addEventListener("keydown", (event) => {
  if (event.key !== "e" || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest("input, textarea, select")) return;
  document.querySelector("[data-edit]")?.click();
});

const edit = document.querySelector("[data-edit]");
edit?.addEventListener("click", async (event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  const answer = await fetch(edit.href, { headers: { "x-trilith-part": "edit" } }).catch(() => null);
  if (!answer?.ok) return void (location.href = edit.href);
  const text = document.querySelector("article > .text");
  const kept = text.cloneNode(true);
  const place = document.createElement("div");
  place.innerHTML = await answer.text();
  text.replaceWith(place);
  const form = place.querySelector("form");
  const { attend } = await import("./edit.js");
  attend(form);
  edit.hidden = true;
  form.querySelector("[data-cancel]").addEventListener("click", (cancel) => {
    cancel.preventDefault();
    place.replaceWith(kept);
    edit.hidden = false;
    edit.focus();
  });
  form.querySelector("textarea").focus();
});
