// Runs before everything else and where modules cannot: whatever fails later, the reader is told.
(function () {
  "use strict";
  var PATIENCE_MS = 20000;
  function show() {
    var box = document.getElementById("trouble");
    var loading = document.getElementById("loading");
    if (!box) {
      document.addEventListener("DOMContentLoaded", show);
      return;
    }
    box.hidden = false;
    if (loading) loading.hidden = true;
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
  window.setTimeout(function () {
    if (!document.documentElement.hasAttribute("data-ready")) show();
  }, PATIENCE_MS);
  document.addEventListener("click", function (event) {
    var target = /** @type {any} */ (event.target);
    if (target && target.id === "reload") {
      event.preventDefault();
      window.location.reload();
    }
  });
})();
