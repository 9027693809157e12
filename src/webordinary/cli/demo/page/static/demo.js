// Lets forms and links of the page work without loading all of it anew. The page works without this script.
"use strict";
(() => {
  const main = document.querySelector("main.demo");
  if (!main) return;

  // The owner's last mail stands on top, and below it what was answered.
  const showNewest = () => {
    const screen = document.getElementById("talks");
    const own = screen ? screen.querySelectorAll(".mail.own") : [];
    const last = own[own.length - 1] || (screen && screen.querySelector(".mail"));
    if (last) screen.scrollTop = last.offsetTop - screen.offsetTop - 10;
  };

  const compose = () => document.getElementById("compose");
  const written = () => [...compose().elements].filter((field) =>
    field.type === "checkbox" ? field.checked : field.type !== "hidden" && field.name && field.value);
  // What somebody is writing stays in the fields that the next form has too.
  const putForm = (page, draft) => {
    const next = page.getElementById("compose");
    compose().replaceWith(document.adoptNode(next));
    for (const old of draft) {
      const same = [...next.elements].find((field) =>
        field.name === old.name && (field.type !== "checkbox" || field.value === old.value));
      if (!same) continue;
      if (old.type === "checkbox") same.checked = true;
      else if (old.type === "file") same.files = old.files;
      else same.value = old.value;
    }
    const photos = next.querySelector("details");
    if (photos && draft.some((field) => field.type === "checkbox" || field.type === "file")) photos.open = true;
  };
  let shown = 0;
  const put = (page, isSent) => {
    shown += 1;
    for (const old of document.querySelectorAll("[data-live][id]")) {
      const fresh = page.getElementById(old.id);
      if (fresh && fresh.outerHTML !== old.outerHTML) old.replaceWith(document.adoptNode(fresh));
    }
    putForm(page, isSent ? [] : written());
    showNewest();
  };

  // One after the other: the answer to an earlier question must not replace that to a later one.
  let last = Promise.resolve();
  const load = (...question) => (last = last.catch(() => {}).then(() => ask(...question)));
  const ask = async (address, options, isSending) => {
    main.setAttribute("aria-busy", "true");
    try {
      const answer = await fetch(address, { cache: "no-store", ...options });
      const text = await answer.text();
      if (!(answer.headers.get("content-type") || "").startsWith("text/html")) throw new Error(text);
      put(new DOMParser().parseFromString(text, "text/html"), answer.ok && isSending);
      if (answer.ok) history.replaceState(null, "", answer.url);
    } finally {
      main.removeAttribute("aria-busy");
    }
  };

  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!form.matches("[data-quiet]")) return;
    event.preventDefault();
    const button = event.submitter;
    if (button) button.disabled = true;
    const isForm = form.matches("[data-compose]");
    const body = isForm ? new FormData(form) : new URLSearchParams(new FormData(form));
    const focused = form.contains(document.activeElement) ? form.getAttribute("action") : "";
    load(form.action, { method: "POST", body }, isForm)
      .then(() => {
        const same = focused && document.querySelector(`form[action="${focused}"] button:not(:disabled)`);
        if (same) same.focus({ preventScroll: true });
      })
      .catch(() => form.submit());
  });

  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-quiet]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    load(link.href, {}, false).catch(() => location.assign(link.href));
  });

  // A new mail is scrolled to, and can be replied to; what somebody is writing stays as it is.
  const count = () => document.querySelectorAll("#talks .mail").length;
  let mails = count();
  const renewForm = async () => {
    const before = shown;
    const answer = await fetch(location.href, { cache: "no-store" });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const hasFocus = compose().contains(document.activeElement);
    if (!page.getElementById("compose") || written().length || shown !== before) return;
    putForm(page, []);
    if (hasFocus) compose().querySelector("#words").focus({ preventScroll: true });
  };
  new MutationObserver(() => {
    if (count() === mails) return;
    mails = count();
    showNewest();
    renewForm().catch(() => {});
  }).observe(main, { childList: true, subtree: true });
  showNewest();
})();
