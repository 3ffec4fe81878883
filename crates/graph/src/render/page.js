
const main = document.querySelector("main"), svg = main.querySelector("svg");
const width = svg.width.baseVal.value, height = svg.height.baseVal.value;
let scale = 1;
function zoom(factor, x, y) {
  const before = scale;
  scale = Math.min(8, Math.max(0.05, scale * factor));
  svg.setAttribute("width", width * scale);
  svg.setAttribute("height", height * scale);
  main.scrollLeft = (main.scrollLeft + x) * scale / before - x;
  main.scrollTop = (main.scrollTop + y) * scale / before - y;
}
main.addEventListener("wheel", (event) => {
  if (!event.ctrlKey && !event.metaKey) return;
  event.preventDefault();
  const corner = main.getBoundingClientRect();
  zoom(Math.exp(-event.deltaY / 300), event.clientX - corner.left, event.clientY - corner.top);
}, {passive: false});
main.addEventListener("pointermove", (event) => {
  if (event.buttons !== 1 || event.pointerType === "touch") return;
  main.scrollLeft -= event.movementX;
  main.scrollTop -= event.movementY;
});
addEventListener("keydown", (event) => {
  if (event.target.tagName === "INPUT") return;
  if (event.key === "+") zoom(1.25, 0, 0);
  if (event.key === "-") zoom(0.8, 0, 0);
  if (event.key === "0") zoom(1 / scale, 0, 0);
});
document.querySelector("#find").addEventListener("input", (event) => {
  const text = event.target.value.toLowerCase();
  let first = null;
  for (const node of svg.querySelectorAll(".pfg-node")) {
    const found = text !== "" && node.querySelector("title").textContent.toLowerCase().includes(text);
    node.classList.toggle("found", found);
    if (found) first ??= node;
  }
  first?.scrollIntoView({block: "center", inline: "center"});
});
