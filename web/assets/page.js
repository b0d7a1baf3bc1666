// What makes the pages live. Without it everything is there, as links and forms.
"use strict";
(() => {
  const root = document.documentElement;
  root.classList.add("js");
  const status = document.getElementById("status");
  const say = (text) => { status.textContent = text; status.hidden = text === ""; };
  const parse = (text) => new DOMParser().parseFromString(text, "text/html");
  const editing = () => {
    const here = document.activeElement;
    return here && here.closest("main") && /^(INPUT|TEXTAREA|SELECT)$/.test(here.tagName) ||
      [...document.querySelectorAll("main textarea, main form[data-keep] input")].some((f) => f.value !== f.defaultValue);
  };

  // Asking, again and again while the server is away.
  const away = "The server does not answer. What you typed stays here; it is tried again.";
  const ask = async (address, options) => {
    for (let wait = 500; ; wait = Math.min(2 * wait, 8000)) {
      try {
        const answer = await fetch(address, options);
        if (status.textContent === away) say("");
        return answer;
      } catch (e) {
        if (e.name === "AbortError") throw e;
        say(away);
        await new Promise((done) => setTimeout(done, wait));
      }
    }
  };

  // show puts another page in the place of this one.
  const show = (text, address, push) => {
    const next = parse(text);
    const main = next.querySelector("main");
    if (!main) { location.assign(address); return; }
    document.title = next.title;
    document.querySelector("main").replaceWith(main);
    const header = next.querySelector("header");
    if (header) document.querySelector("header").replaceWith(header);
    if (push) history.pushState({}, "", address);
    prepare();
    main.focus({ preventScroll: !push });
    if (push) scrollTo(0, 0);
  };

  // A part of the page that is searched for while somebody types.
  let searching = null;
  const search = async (form) => {
    if (searching) searching.abort();
    searching = new AbortController();
    const address = form.action + "?" + new URLSearchParams([...new FormData(form)].filter(([, v]) => v !== ""));
    try {
      const answer = await ask(address, { headers: { "X-Part": form.dataset.live }, signal: searching.signal });
      if (answer.status === 401) { location.reload(); return; }
      const part = parse(await answer.text()).body.firstElementChild;
      const old = document.querySelector(`[data-part="${form.dataset.live}"]`);
      if (part && old) old.replaceWith(part);
      history.replaceState({}, "", address);
    } catch (e) {
      if (e.name !== "AbortError") throw e;
    }
  };
  let typing = 0;
  document.addEventListener("input", (e) => {
    const days = e.target.dataset && e.target.dataset.daysAgo;
    if (days) {
      const date = document.getElementById(days);
      const day = new Date(Date.now() - 864e5 * e.target.value);
      date.value = e.target.value === "0" ? "" : day.toISOString().slice(0, 10);
    }
    const form = e.target.form;
    if (form && form.dataset.live) {
      clearTimeout(typing);
      typing = setTimeout(() => search(form), 120);
    }
  });
  document.addEventListener("change", (e) => {
    if (e.target.form && e.target.form.dataset.send === "change") e.target.form.requestSubmit();
  });

  // Forms are sent here, so that what was typed outlives a server that is away.
  document.addEventListener("submit", async (e) => {
    const form = e.target;
    if (form.dataset.live) {
      e.preventDefault();
      search(form);
      return;
    }
    if (form.method !== "post" || form.dataset.plain) return;
    e.preventDefault();
    if (form.dataset.busy) return;
    form.dataset.busy = "1";
    try {
      const body = new URLSearchParams(new FormData(form, e.submitter));
      const answer = await ask(form.action, { method: "POST", body });
      const text = await answer.text();
      if (!answer.ok && answer.status !== 409) {
        const why = parse(text).querySelector(".failure");
        say(why ? why.textContent : "That did not work.");
        status.scrollIntoView({ block: "nearest" });
        return;
      }
      say("");
      const same = new URL(answer.url).pathname === location.pathname;
      show(text, answer.status === 409 ? location.href : answer.url, !same);
      follow();
    } finally {
      delete form.dataset.busy;
    }
  });
  addEventListener("popstate", () => location.reload());

  // Parts of the page that follow what others write.
  let fresh = null;
  const refresh = async () => {
    const parts = [...document.querySelectorAll("[data-refresh]")];
    if (editing() || fresh) { if (parts.length) later = true; return; }
    later = false;
    fresh = ask(location.href, { headers: { "X-Part": "news" } });
    try {
      const answer = await fresh;
      if (!answer.ok) return;
      const next = parse(await answer.text());
      const header = next.querySelector("header nav");
      if (header) document.querySelector("header nav").replaceWith(header);
      for (const old of parts) {
        const part = next.getElementById(old.id);
        if (part && part.innerHTML !== old.innerHTML && !old.querySelector("details[open]")) {
          const at = [...document.querySelectorAll("[data-item]")].findIndex((i) => i.hasAttribute("aria-current"));
          old.replaceWith(part);
          prepare(at);
        }
      }
    } finally {
      fresh = null;
      follow();
      if (later) refresh();
    }
  };
  // A page that says "Looking" asks again, should the event of the end have come too early for it.
  let again = 0;
  const follow = () => {
    clearTimeout(again);
    if (document.querySelector("[data-looking=true]")) again = setTimeout(refresh, 1000);
  };
  follow();
  let later = false;
  document.addEventListener("focusout", () => { if (later) setTimeout(refresh, 50); });
  // A hidden page does not listen: browsers have few connections to one server, for all tabs together.
  let events = null, missed = false, out = false;
  const listen = () => {
    if (document.hidden || out) {
      if (events) events.close();
      events = null;
      missed = true;
      return;
    }
    if (events) return;
    events = new EventSource(document.body.dataset.events);
    events.addEventListener("change", refresh);
    events.addEventListener("signed-out", () => { out = true; listen(); say("You were signed out. What you typed is still here, but cannot be saved."); });
    events.onerror = () => say(away);
    events.onopen = () => { if (missed || status.textContent === away) { missed = false; if (status.textContent === away) say(""); refresh(); } };
  };
  if (document.body.dataset.events) {
    document.addEventListener("visibilitychange", listen);
    listen();
  }

  // Keys: j and k go through a list, one letter does what its button says.
  let current = 0;
  const items = () => [...document.querySelectorAll("[data-item]")];
  const mark = (n) => {
    const all = items();
    current = Math.max(0, Math.min(n, all.length - 1));
    all.forEach((one, i) => { if (i === current) one.setAttribute("aria-current", "true"); else one.removeAttribute("aria-current"); });
    if (all[current]) all[current].scrollIntoView({ block: "nearest" });
  };
  const prepare = (at) => { if (items().length) mark(at === undefined || at < 0 ? current : at); };
  document.addEventListener("keydown", (e) => {
    if (e.ctrlKey || e.metaKey || e.altKey || e.target.matches("input, textarea, select")) return;
    if (e.key === "/") {
      const box = document.querySelector("input[type=search]");
      if (box) { e.preventDefault(); box.focus(); } else { location.assign("/ui/search"); }
      return;
    }
    const all = items();
    if (e.key === "u") {
      const undo = document.querySelector(".note form");
      if (undo) { e.preventDefault(); undo.requestSubmit(); }
      return;
    }
    if (!all.length) return;
    const open = all[current] && all[current].querySelector(`summary[data-open="${CSS.escape(e.key)}"]`);
    if (open) {
      e.preventDefault();
      open.parentElement.open = true;
      open.parentElement.querySelector("textarea").focus();
      return;
    }
    if (e.key === "j" || e.key === "k") { mark(current + (e.key === "j" ? 1 : -1)); return; }
    const button = all[current] && [...all[current].querySelectorAll("button[data-key]")].find((b) => b.dataset.key === e.key);
    if (button) { e.preventDefault(); button.form.requestSubmit(button); }
  });
  prepare();
})();
