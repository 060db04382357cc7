"use strict";
// A click (or Enter, or Space) on a column's name sorts its table by it: numbers as numbers, largest first, texts
// from A to Z or in the order that they have of themselves (data-key); again turns it round. What has no value
// stays last. Equal rows keep their order.
for (const table of document.querySelectorAll("table.sortable")) {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, place) => {
    head.querySelector("button").addEventListener("click", () => {
      const numbers = head.classList.contains("number");
      const before = head.getAttribute("aria-sort");
      const down = before ? before === "ascending" : numbers;
      const key = (row) => {
        const cell = row.cells[place];
        if ("key" in cell.dataset) return Number(cell.dataset.key);
        return numbers ? NaN : cell.textContent;
      };
      const order = (a, b) => {
        const [x, y] = [key(a), key(b)];
        if (typeof x === "string") return x.localeCompare(y, "en") * (down ? -1 : 1);
        if (Number.isNaN(x) || Number.isNaN(y)) return Number.isNaN(x) - Number.isNaN(y);
        return down ? y - x : x - y;
      };
      const body = table.tBodies[0];
      body.append(...[...body.rows].sort(order));
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
    });
  });
}
addEventListener("beforeprint", () => document.querySelectorAll("details").forEach((one) => (one.open = true)));
