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
      current = 0;
      prepare();
      if (document.querySelector(".split.reading")) read("", false);
    } catch (e) {
      if (e.name !== "AbortError") throw e;
    }
  };
  // What a list has is read beside it, where there is room.
  const room = matchMedia("(min-width: 64rem)");
  let reading = null;
  const read = async (id, push) => {
    const pane = document.getElementById("pane");
    const address = new URL(location.href);
    if (id) address.searchParams.set("open", id); else address.searchParams.delete("open");
    if (reading) reading.abort();
    reading = new AbortController();
    try {
      const answer = await ask(address, { headers: { "X-Part": "pane" }, signal: reading.signal });
      if (!answer.ok) { location.assign(address); return; }
      pane.replaceWith(parse(await answer.text()).body.firstElementChild);
      if (push !== null) history[push ? "pushState" : "replaceState"]({}, "", address);
      shown();
    } catch (e) {
      if (e.name !== "AbortError") throw e;
    }
  };
  // list is the address without what is read beside it; listed is that of what is shown.
  let listed = "";
  const list = () => {
    const address = new URL(location.href);
    address.searchParams.delete("open");
    return address.href;
  };
  const shown = () => {
    listed = list();
    const pane = document.getElementById("pane");
    if (!pane) return;
    const id = new URL(location.href).searchParams.get("open");
    pane.parentElement.classList.toggle("reading", id !== null);
    for (const a of document.querySelectorAll("a[data-open]")) a.closest("li").classList.toggle("shown", a.dataset.open === id);
  };
  document.addEventListener("click", (e) => {
    if (e.ctrlKey || e.metaKey || e.shiftKey || e.button) return;
    const help = e.target.closest("[data-help]");
    if (help) { document.getElementById(help.dataset.help).showModal(); return; }
    const link = e.target.closest("a[data-open], a[data-close]");
    if (!link || !room.matches || !document.getElementById("pane")) return;
    e.preventDefault();
    const at = items().indexOf(link.closest("[data-item]"));
    if (at >= 0) mark(at);
    read(link.dataset.open, true);
  });
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
      clearTimeout(typing);
      search(form);
      return;
    }
    if (form.method !== "post" || form.dataset.plain) return;
    e.preventDefault();
    if (form.dataset.busy) return;
    form.dataset.busy = "1";
    try {
      const body = new URLSearchParams(new FormData(form, e.submitter));
      const to = e.submitter && e.submitter.hasAttribute("formaction") ? e.submitter.formAction : form.action;
      const answer = await ask(to, { method: "POST", body });
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
  addEventListener("popstate", () => {
    const before = listed;
    if (document.getElementById("pane") && before === list()) read(new URL(location.href).searchParams.get("open"), null); else location.reload();
  });

  // Parts of the page that follow what others write.
  let fresh = null;
  const refresh = async () => {
    const parts = [...document.querySelectorAll("[data-refresh]")];
    if (editing() || fresh) { if (parts.length) later = true; return; }
    later = false;
    fresh = ask(location.href, { headers: { "X-Part": "news" } });
    try {
      const answer = await fresh;
      if (!answer.ok) { if (answer.status >= 500) setTimeout(refresh, 1000); return; }
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
  const items = () => [...document.querySelectorAll("[data-item]")].filter((one) => one.offsetParent !== null);
  const mark = (n) => {
    const all = items();
    current = Math.max(0, Math.min(n, all.length - 1));
    all.forEach((one, i) => { if (i === current) one.setAttribute("aria-current", "true"); else one.removeAttribute("aria-current"); });
    if (all[current]) all[current].scrollIntoView({ block: "nearest" });
  };
  const prepare = (at) => { if (items().length) mark(at === undefined || at < 0 ? current : at); shown(); };
  const edit = () => {
    const summary = document.querySelector("summary[data-edit]");
    if (!summary) return false;
    summary.parentElement.open = true;
    document.getElementById(summary.dataset.edit).focus();
    return true;
  };
  let moving = 0;
  const press = {
    "?": () => document.getElementById("keys").showModal(),
    "/": () => {
      const box = document.querySelector("input[type=search]");
      if (box) { box.focus(); box.select(); } else location.assign("/ui/memories#search");
    },
    u: () => { const undo = document.querySelector(".note form"); if (undo) undo.requestSubmit(); else pressItem("u", items()[current]); },
    j: () => move(1),
    k: () => move(-1),
    Escape: () => { const close = document.querySelector("[data-close]"); if (close) close.click(); },
  };
  const move = (by) => {
    if (!root.classList.contains("keyed")) by = 0; // the first key shows where one is
    root.classList.add("keyed");
    mark(current + by);
    const link = document.querySelector(".split.reading") && items()[current] && items()[current].querySelector("a[data-open]");
    clearTimeout(moving);
    if (link) moving = setTimeout(() => read(link.dataset.open, false), 80);
  };
  // What a letter does with the entry that is marked: its button, a part of it that opens, or the entry itself.
  const pressItem = (key, item) => {
    const open = item && item.querySelector(`summary[data-open="${CSS.escape(key)}"]`);
    const button = item && [...item.querySelectorAll("button[data-key]")].find((b) => b.dataset.key === key);
    const link = item && item.querySelector("a.open");
    if (open) {
      open.parentElement.open = true;
      open.parentElement.querySelector("textarea").focus();
    } else if (button) {
      button.form.requestSubmit(button);
    } else if (key === "Enter" && link) {
      link.click();
    } else if (key === "e" && !edit() && link) {
      if (room.matches && document.getElementById("pane")) read(link.dataset.open, true).then(edit);
      else location.assign(link.href + "#edit");
    } else if (key !== "e" || !document.querySelector("summary[data-edit]")) {
      return false;
    }
    return true;
  };
  document.addEventListener("keydown", (e) => {
    if ((e.ctrlKey || e.metaKey) && e.key === "k" && !e.shiftKey && !e.altKey) { e.preventDefault(); press["/"](); return; }
    if (e.ctrlKey || e.metaKey || e.altKey || document.querySelector("dialog[open]")) return;
    if (e.key === "Escape" && e.target.matches("input, textarea, select")) { e.preventDefault(); e.target.blur(); return; }
    if (e.target.matches("input, textarea, select")) {
      if (e.target.type === "search" && e.key === "ArrowDown" && items().length) { e.preventDefault(); e.target.blur(); }
      return;
    }
    if (e.key === "Enter" && e.target.closest("a, button, summary")) return;
    const place = document.querySelector(`[data-place="${CSS.escape(e.key)}"]`);
    if (place) place.click();
    else if (press[e.key] && (e.key !== "?" || document.getElementById("keys"))) press[e.key]();
    else if (!/^[a-z]$|^Enter$/.test(e.key) || !pressItem(e.key, items()[current] || document.querySelector(".tools"))) return;
    e.preventDefault();
  });
  prepare();
  if (location.hash === "#edit") edit();
  if (location.hash === "#search") press["/"]();
})();
