// The theme reads the search box after a key; words that are pasted or spoken come without one.
document.addEventListener("input", ({ target }) => {
  if (target.matches("[data-md-component=search-query]")) target.dispatchEvent(new Event("keyup"));
});
