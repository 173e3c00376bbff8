// Runs before everything else and where modules cannot: whatever fails later, the reader is told.
(function () {
  "use strict";
  var PATIENCE_MS = 20000;
  var root = document.documentElement;
  root.setAttribute("data-scripted", "");
  function show() {
    var box = document.getElementById("trouble");
    var loading = document.getElementById("loading");
    if (!box) {
      document.addEventListener("DOMContentLoaded", show);
      return;
    }
    if (loading) loading.hidden = true;
    if (!box.hidden) return;
    box.hidden = false;
    box.scrollIntoView();
  }
  window.addEventListener(
    "error",
    function (event) {
      var target = /** @type {any} */ (event.target);
      // A picture that fails is told where it stands; a script that fails is trouble.
      if (target && target !== window && target.tagName !== "SCRIPT") return;
      show();
    },
    true
  );
  window.addEventListener("unhandledrejection", show);
  // A browser that knows no modules runs none, and says nothing.
  if (!("noModule" in document.createElement("script"))) show();
  window.setTimeout(function () {
    if (!root.hasAttribute("data-ready")) show();
  }, PATIENCE_MS);
  document.addEventListener("click", function (event) {
    var target = /** @type {any} */ (event.target);
    if (target && target.id === "reload") {
      event.preventDefault();
      window.location.reload();
    }
  });
})();
