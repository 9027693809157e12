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
  const draft = () => compose().querySelector("#words").value;
  const putForm = (page, words) => {
    const next = page.getElementById("compose");
    compose().replaceWith(document.adoptNode(next));
    next.querySelector("#words").value = words;
  };
  const put = (page, isSent) => {
    for (const old of document.querySelectorAll("[data-live][id]")) {
      const fresh = page.getElementById(old.id);
      if (fresh && fresh.outerHTML !== old.outerHTML) old.replaceWith(document.adoptNode(fresh));
    }
    putForm(page, isSent ? "" : draft());
    showNewest();
  };

  const load = async (address, options, isSending) => {
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
    const answer = await fetch(location.href, { cache: "no-store" });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const isFree = !draft() && !compose().querySelector(":checked");
    const hasFocus = compose().contains(document.activeElement);
    if (!page.getElementById("compose") || !isFree) return;
    putForm(page, "");
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
