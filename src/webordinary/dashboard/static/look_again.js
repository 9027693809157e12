"use strict";
// A step that waits for others is looked at again by itself; without JavaScript there is the button.
(() => {
  const button = document.querySelector("button[data-every]");
  if (button) setTimeout(() => button.form.requestSubmit(button), Number(button.dataset.every) * 1000);
})();
