// Editing: saving by the keyboard, looking at how it will read, and no text lost: not by leaving, nor by a save that fails.

const PART = "x-trilith-part";

export function attend(form) {
  const { body, version, checksum } = form.elements;
  const look = form.querySelector(".look");
  const told = form.querySelector(".told");
  const conflict = form.querySelector(".conflict");
  const draft = `draft ${form.getAttribute("action")}`;
  let leaving = false;

  const isUnsaved = () => conflict !== null || body.value !== body.defaultValue;

  function keep() {
    try {
      if (!isUnsaved()) return sessionStorage.removeItem(draft);
      sessionStorage.setItem(draft, JSON.stringify([body.value, version.value, checksum.value]));
    } catch {
      // Too long to be kept twice, or the browser keeps nothing: leaving the page asks first all the same.
    }
  }

  function leave() {
    leaving = true;
    sessionStorage.removeItem(draft);
  }

  // What was typed belongs to the version that it was typed over, so that a save cannot go over what came since.
  function restore() {
    const [text, ...read] = JSON.parse(sessionStorage.getItem(draft) ?? "[]");
    if (text === undefined || text === body.value) return;
    const [newest, ...others] = [body.value, version.value, checksum.value];
    const put = (value, over) => ([body.value, version.value, checksum.value] = [value, ...over]);
    put(text, read);
    const button = Object.assign(document.createElement("button"), {
      type: "button",
      className: "button small",
      textContent: "Go back to what is saved",
      onclick: () => {
        put(newest, others);
        keep();
        told.hidden = true;
        body.focus();
      },
    });
    say("This is what you typed before and did not save. ", button);
  }

  function say(...nodes) {
    told.replaceChildren(...nodes);
    told.hidden = false;
    told.scrollIntoView({ block: "nearest" });
  }

  // The answer of the server if it is one that was hoped for; whatever else it says is told.
  async function post(address, part, isHoped) {
    form.setAttribute("aria-busy", "true");
    told.hidden = true;
    try {
      const answer = await sent(form, address, part);
      if (isHoped(answer)) return answer;
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const reasons = page.querySelectorAll("p");
      if (reasons.length) say(...reasons);
      else say(`That did not work: the server answers ${answer.status}.`);
    } catch {
      say("The server does not answer. Your text stays here; try again when it is back.");
    } finally {
      form.removeAttribute("aria-busy");
    }
    return null;
  }

  addEventListener("beforeunload", (event) => {
    if (!leaving && form.isConnected && isUnsaved()) event.preventDefault();
  });
  body.addEventListener("input", keep);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (form.hasAttribute("aria-busy")) return;
    const answer = await post(form.action, "edit", ({ type, status }) => type === "opaqueredirect" || status === 409);
    if (answer?.status === 409) {
      const place = document.createElement("div");
      place.innerHTML = await answer.text();
      const next = place.querySelector("form");
      form.replaceWith(next);
      attend(next);
      next.querySelector(".conflict").focus();
    } else if (answer) {
      leave();
      location.href = form.dataset.note;
    }
  });
  form.addEventListener("keydown", (event) => {
    if ((event.ctrlKey || event.metaKey) && (event.key === "Enter" || event.key === "s")) {
      event.preventDefault();
      form.requestSubmit();
    }
  });
  form.querySelector("[data-look]").addEventListener("click", async () => {
    const answer = await post(form.dataset.preview, "preview", ({ ok }) => ok);
    if (!answer) return;
    look.innerHTML = await answer.text();
    look.hidden = false;
    look.scrollIntoView({ block: "nearest" });
  });
  form.querySelector("[data-cancel]").addEventListener("click", (event) => {
    if (!isUnsaved() || confirm("Leave without saving? What you typed will be gone.")) return leave();
    event.preventDefault();
    event.stopImmediatePropagation();
  });

  if (conflict) keep();
  else restore();
}

async function sent(form, address, part) {
  const post = () =>
    fetch(address, {
      method: "POST",
      headers: { [PART]: part },
      redirect: "manual",
      body: new URLSearchParams(new FormData(form)),
    });
  const answer = await post();
  return answer.status === 403 && (await renew(form)) ? post() : answer;
}

// A server that was started anew, or a new session, knows other forms than this one.
async function renew(form) {
  const answer = await fetch(form.action, { headers: { [PART]: "edit" } });
  if (!answer.ok) return false;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const { token } = page.querySelector("form").elements;
  if (token.value === form.elements.token.value) return false;
  form.elements.token.value = token.value;
  return true;
}

const form = document.querySelector("form.edit[data-note]");
if (form) attend(form);
