// What every page has: light or dark, the key that leads to search, copying.

const root = document.documentElement;
root.classList.add("js");
const theme = document.getElementById("theme");
theme.hidden = false;
theme.addEventListener("click", () => {
  const system = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  const next = (root.dataset.theme || system) === "dark" ? "light" : "dark";
  root.dataset.theme = next;
  const path = document.body.dataset.base || "/";
  document.cookie = `trilith-theme=${next}; path=${path}; max-age=31536000; samesite=lax`;
  dispatchEvent(new Event("themechange"));
});

const writes = (target) => target.closest("input, textarea, select, [contenteditable]");

addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || writes(event.target)) return;
  event.preventDefault();
  const field = document.getElementById("q");
  if (field) {
    field.focus();
    field.select();
  } else {
    location.href = `${document.body.dataset.base}/`;
  }
});

// Drafts are for nobody who signs in here later.
document.querySelector('form[action$="/sign-out"]')?.addEventListener("submit", () => sessionStorage.clear());

addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  await navigator.clipboard.writeText(button.dataset.copy);
  const said = button.textContent;
  button.textContent = "Copied";
  setTimeout(() => (button.textContent = said), 1500);
});
