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
