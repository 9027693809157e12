"use strict";

// Two pictures become one with a slider; without this they stand side by side.
(() => {
  const slide = (figure) => {
    const label = document.createElement("label");
    const range = document.createElement("input");
    label.className = "slide";
    label.append("Before and after", range);
    Object.assign(range, { type: "range", min: "0", max: "100", step: "5", value: "50" });
    const cut = () => {
      figure.style.setProperty("--cut", `${range.value}%`);
      range.setAttribute("aria-valuetext", `${range.value} % before, ${100 - range.value} % after`);
    };
    range.addEventListener("input", cut);
    figure.classList.add("sliding");
    figure.append(label);
    cut();
  };
  const slideAll = () => {
    for (const figure of document.querySelectorAll("figure.compare:not(.sliding)")) {
      if (figure.querySelectorAll(".side").length === 2) slide(figure);
    }
  };
  slideAll();
  // What is renewed while somebody looks comes without sliders.
  new MutationObserver(slideAll).observe(document.getElementById("content"), { childList: true, subtree: true });
})();
