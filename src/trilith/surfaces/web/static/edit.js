// Editing: saving by the keyboard, looking at how it will read, and no text lost by leaving.

export function attend(form) {
  const body = form.querySelector("textarea");
  const look = form.querySelector(".look");
  const before = body.value;
  let leaving = false;

  addEventListener("beforeunload", (event) => {
    if (!leaving && form.isConnected && body.value !== before) event.preventDefault();
  });
  form.addEventListener("submit", () => (leaving = true));
  form.addEventListener("keydown", (event) => {
    if ((event.ctrlKey || event.metaKey) && (event.key === "Enter" || event.key === "s")) {
      event.preventDefault();
      form.requestSubmit();
    }
  });
  form.querySelector("[data-look]").addEventListener("click", async () => {
    const answer = await fetch(form.dataset.preview, {
      method: "POST",
      headers: { "x-trilith-part": "preview" },
      body: new URLSearchParams(new FormData(form)),
    });
    look.innerHTML = await answer.text();
    look.hidden = false;
    look.scrollIntoView({ block: "nearest" });
  });
}

const form = document.querySelector("form.edit");
if (form) attend(form);
