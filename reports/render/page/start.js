// Brings the page to life.

const model = new Model(JSON.parse(document.getElementById("data").textContent));
document.body.append(tip);
const cells = bindCells(model);
bindFields(model);
bindControls(model);
bindTables();
for (const figure of document.querySelectorAll("[data-chart]")) new Roofline(figure, model.data.charts[Number(figure.dataset.chart)], model);
for (const figure of document.querySelectorAll("[data-bars]")) new BarChart(figure, model.data.bars[Number(figure.dataset.bars)], model);
bindExplanations(model, cells);
bindTheme();
