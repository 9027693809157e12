// Renews what has changed. The page works without it. A stream names what has changed; elements that are marked with
// data-live="NAME NAME" and an id are then fetched anew, from data-from or from the page itself, and put in their place.
"use strict";
(() => {
  const badge = document.getElementById("live");
  const marked = () => [...document.querySelectorAll("[data-live][id]")];
  if (!badge || marked().length === 0) return;

  const POLL = 10000, BEAT = 5000, SLOWEST = 30000, GATHER = 50, PAUSE = 700;
  let heard = document.body.dataset.heard || "";
  let source = null, failures = 0, retry = 0, poll = 0, gather = 0;
  let sign = 0, behind = 0, every = 0, over = false;
  let wanted = new Set(), isFetching = false, ticks = 0, fetchedAt = 0;

  const say = (state, words) => {
    badge.hidden = false;
    badge.dataset.state = state;
    if (badge.textContent !== words) badge.textContent = words;
  };

  const show = () => {
    if (over) return say("out", "Signed out: reload");
    if (document.hidden) return say("paused", "Paused");
    if (poll) return say("polling", `Polling every ${POLL / 1000} s`);
    if (!source || !sign) return say("waiting", "Connecting");
    const silent = Date.now() - sign;
    const late = Math.max(silent > 2 * BEAT ? silent / 1000 : 0, behind > 3 * every + 3 ? behind : 0);
    if (late) return say("behind", `Behind by ${Math.round(late)} s`);
    return say("live", every > 1 ? `Live, looks every ${every} s` : "Live");
  };

  // What somebody writes or has marked stays as it is until they are done.
  const isBusy = (element) => {
    const at = document.activeElement, marks = window.getSelection();
    if (element.contains(at) && at.matches("input:not([type=hidden]), textarea, select")) return true;
    return Boolean(marks && !marks.isCollapsed && element.contains(marks.anchorNode));
  };

  const NAMES = ["id", "href", "name", "aria-label"];
  const nameOf = (element) => {
    const found = element && NAMES.find((each) => element.hasAttribute(each));
    return element && (found ? element.getAttribute(found) : element.textContent);
  };
  const put = (old, fresh) => {
    const at = old.contains(document.activeElement) ? document.activeElement : null;
    const open = new Map([...old.querySelectorAll("details")].map((each) => [nameOf(each.firstElementChild), each.open]));
    const element = document.adoptNode(fresh);
    for (const each of element.querySelectorAll("details")) {
      const was = open.get(nameOf(each.firstElementChild));
      if (was !== undefined) each.open = was;
    }
    old.replaceWith(element);
    if (!at) return;
    const same = [element, ...element.querySelectorAll("a, button, input, select, textarea, summary, [tabindex]")];
    const next = same.find((each) => each.localName === at.localName && nameOf(each) === nameOf(at));
    if (next) next.focus({ preventScroll: true });
  };

  const renewFrom = async (address, elements) => {
    const answer = await fetch(address, { cache: "no-store", redirect: "manual", headers: { "X-Live": "1" } });
    if (answer.type === "opaqueredirect" || answer.status === 401) return end();
    if (!answer.ok) throw new Error(String(answer.status));
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    for (const old of elements) {
      const fresh = page.getElementById(old.id);
      if (!fresh || !old.isConnected || old.outerHTML === fresh.outerHTML) continue;
      if (isBusy(old)) wanted.add(old.id);
      else put(old, fresh);
    }
  };

  const renew = async () => {
    gather = 0;
    if (isFetching || over || document.hidden) return;
    const elements = marked().filter((each) => wanted.has(each.id));
    wanted = new Set();
    if (elements.length === 0) return;
    const inside = (each) => elements.some((other) => other !== each && other.contains(each));
    const from = new Map();
    for (const each of elements.filter((element) => !inside(element))) {
      const address = each.dataset.from || location.href.split("#")[0];
      from.set(address, [...(from.get(address) || []), each]);
    }
    isFetching = true;
    try {
      for (const [address, some] of from) await renewFrom(address, some);
    } catch {
      for (const each of elements) wanted.add(each.id);
      begin(SLOWEST / 10);
    } finally {
      isFetching = false;
      fetchedAt = Date.now();
    }
    if (wanted.size > 0) begin(GATHER);
  };

  // The first change is shown at once; where one follows the other, they are gathered.
  const begin = (wait) => {
    if (!gather) gather = setTimeout(renew, Math.max(wait, fetchedAt + PAUSE - Date.now()));
  };
  const want = (isMeant) => {
    for (const each of marked()) if (isMeant(each)) wanted.add(each.id);
    if (wanted.size > 0) begin(GATHER);
  };
  const wantAll = () => want(() => true);

  const close = () => {
    if (source) source.close();
    source = null;
    sign = 0;
    clearTimeout(retry);
    retry = 0;
  };

  const end = () => {
    over = true;
    close();
    clearInterval(poll);
    show();
  };

  // Everybody loses the stream at once when the server stops: nobody may come back at the same moment.
  const later = (first) => {
    close();
    failures += 1;
    if (failures > 1 && !poll) {
      poll = setInterval(wantAll, POLL);
      wantAll();
    }
    retry = setTimeout(open, Math.min(SLOWEST, first * 2 ** (failures - 1)) * (0.5 + Math.random()));
    show();
  };

  const listen = (stream) => {
    const hear = (what, act) => stream.addEventListener(what, (event) => {
      if (stream !== source) return;
      if (event.lastEventId) heard = event.lastEventId;
      sign = Date.now();
      act(event.data);
      show();
    });
    hear("beat", (data) => {
      ({ behind, every } = JSON.parse(data));
      failures = 0;
      clearInterval(poll);
      poll = 0;
    });
    hear("changed", (data) => {
      const names = new Set(JSON.parse(data));
      want((each) => each.dataset.live.split(" ").some((name) => names.has(name)));
    });
    hear("reload", wantAll);
    hear("end", () => later(1000));
    hear("gone", end);
    stream.onerror = () => { if (stream === source) later(1000); };
  };

  const open = () => {
    if (source || over || document.hidden) return;
    source = new EventSource(`/events?after=${encodeURIComponent(heard)}`);
    listen(source);
    show();
  };

  document.addEventListener("visibilitychange", () => {
    if (document.hidden) {
      close();
      clearInterval(poll);
      poll = 0;
    } else {
      failures = 0;
      open();
      if (wanted.size > 0) begin(GATHER);
    }
    show();
  });
  window.addEventListener("pagehide", close);
  window.addEventListener("pageshow", (event) => { if (event.persisted) open(); });
  // What tells the time, such as the last beat of a worker, changes although nothing happens.
  setInterval(() => {
    show();
    if (document.hidden || over) return;
    ticks += 1;
    want((each) => each.dataset.every && ticks % Number(each.dataset.every) === 0);
  }, 1000);
  open();
})();
