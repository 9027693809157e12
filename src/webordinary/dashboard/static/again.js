"use strict";
// Shows how far something has come without a reload: the page is fetched again and one part of it replaced.
// Without JavaScript the page has a link that does the same.
(() => {
  const look = async () => {
    const shown = document.querySelector("[data-again]");
    if (!shown) return;
    try {
      const answer = await fetch(shown.dataset.again, { headers: { accept: "text/html" } });
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const fresh = page.getElementById(shown.id);
      if (answer.ok && fresh) shown.replaceWith(document.adoptNode(fresh));
    } catch {
      // Nobody answers at this moment; the next look is a second away.
    }
    setTimeout(look, 1000);
  };
  setTimeout(look, 500);
})();
