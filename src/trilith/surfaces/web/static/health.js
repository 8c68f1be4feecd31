// The health page looks again by itself: often while something is being indexed, seldom when nothing is.

const live = document.getElementById("live");

async function look() {
  if (!document.hidden) {
    try {
      const answer = await fetch(live.dataset.from, { headers: { "x-trilith-part": "health" } });
      if (answer.status === 401) return location.reload();
      const text = await answer.text();
      const open = live.querySelectorAll("details[open]").length;
      if (answer.ok && !open) live.innerHTML = text;
    } catch {
      live.querySelector(".state").textContent = "The server does not answer";
    }
  }
  wait();
}

function wait() {
  const busy = live.querySelector(".state").dataset.tone === "busy";
  setTimeout(look, busy ? 1500 : 15000);
}

wait();
