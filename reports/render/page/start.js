// Brings the page to life.

const model = new Model(JSON.parse(document.getElementById("data").textContent));
document.body.append(tip);
const cells = bindCells(model);
bindFields(model);
bindControls(model);
bindTables();
const figures = [
  ...Array.from(document.querySelectorAll("[data-chart]"), (figure) => new Roofline(figure, model.data.charts[Number(figure.dataset.chart)], model)),
  ...Array.from(document.querySelectorAll("[data-bars]"), (figure) => new BarChart(figure, model.data.bars[Number(figure.dataset.bars)], model)),
];
bindExplanations(model, cells);
bindTheme();
bindSections();
bindAddress(model);
