// The search: every word typed has to begin a word of a section; titles count more than text.
(() => {
  const field = document.getElementById("words");
  const found = document.getElementById("found");
  const root = document.body.dataset.root;
  const LONGEST = 12;
  let rows = [];

  // What is looked through is loaded when somebody begins to search, as a script: a page on a disk may load nothing else.
  let asked = false;
  const load = () => {
    if (asked) return;
    asked = true;
    const script = document.createElement("script");
    script.src = `${root}/search-index.js`;
    script.addEventListener("load", () => {
      rows = window.handbook.map(([page, book, title, anchor, excerpt, words]) => ({
        address: `${root}/${page}#${anchor}`, book, title, excerpt,
        head: ` ${book} ${title} `.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, " "), words: ` ${words} `,
      }));
      search();
    });
    document.head.append(script);
  };

  const score = (row, wanted) => {
    let sum = 0;
    for (const word of wanted) {
      const inHead = row.head.includes(` ${word}`);
      if (!inHead && !row.words.includes(` ${word}`)) return 0;
      sum += (inHead ? 6 : 1) + (row.head.includes(` ${word} `) ? 3 : 0) + (row.words.includes(` ${word} `) ? 1 : 0);
    }
    return sum;
  };

  const shown = (row) => {
    const item = document.createElement("li");
    const link = document.createElement("a");
    const book = document.createElement("small");
    const text = document.createElement("p");
    link.href = row.address;
    link.textContent = row.title;
    book.textContent = row.book === row.title ? "" : row.book;
    text.textContent = row.excerpt;
    item.append(link, " ", book, text);
    return item;
  };

  const search = () => {
    if (asked && !rows.length) return;
    const wanted = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    const hits = wanted.length ? rows.map((row) => [score(row, wanted), row]).filter(([points]) => points) : [];
    hits.sort((one, other) => other[0] - one[0]);
    found.replaceChildren(...hits.slice(0, LONGEST).map(([, row]) => shown(row)));
    if (wanted.length && !hits.length) {
      const nothing = document.createElement("li");
      nothing.textContent = "Nothing was found. Try fewer or shorter words.";
      found.append(nothing);
    }
    found.hidden = !wanted.length;
  };

  field.addEventListener("focus", load);
  field.addEventListener("input", search);
  field.form.addEventListener("submit", (event) => {
    event.preventDefault();
    found.querySelector("a")?.click();
  });
  found.addEventListener("click", (event) => {
    if (event.target.closest("a")) found.hidden = true;
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") { field.value = ""; search(); }
    if (event.key === "/" && document.activeElement !== field) { event.preventDefault(); field.focus(); }
    if (event.key === "ArrowDown" && document.activeElement === field) { event.preventDefault(); found.querySelector("a")?.focus(); }
  });

  // On a narrow screen the menu is folded until somebody wants it.
  if (matchMedia("(max-width: 60rem)").matches) document.querySelector("nav details").open = false;
})();
