"use strict";
(() => {
  const dark = window.matchMedia("(prefers-color-scheme: dark)");

  const draw = (side) => {
    for (const place of document.querySelectorAll(`.plot[data-side="${side}"]:not(.js-plotly-plot)`)) {
      const told = JSON.parse(document.getElementById(place.dataset.figure).textContent);
      window.Plotly.newPlot(place, told[side].data, told[side].layout, told.config);
    }
  };

  const copied = async (text) => {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      const area = document.body.appendChild(document.createElement("textarea"));
      area.value = text;
      area.select();
      const done = document.execCommand("copy");
      area.remove();
      return done;
    }
  };

  if (window.Plotly) {
    draw("light");
    if (dark.matches) draw("dark");
    dark.addEventListener("change", () => { if (dark.matches) draw("dark"); });
  }
  // Where the contents stand above the report and not beside it, they would fill the first screen.
  if (!window.matchMedia("(min-width: 68rem)").matches) document.querySelector("nav details").open = false;
  for (const button of document.querySelectorAll(".copy")) {
    button.hidden = false;
    button.addEventListener("click", async () => {
      const done = await copied(document.getElementById(button.dataset.copies).textContent);
      button.textContent = done ? "Copied" : "Select the text and copy it";
    });
  }
})();
