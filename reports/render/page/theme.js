// Light and dark: as the system has it until the reader chooses; nothing is stored.

function bindTheme() {
  const system = matchMedia("(prefers-color-scheme: dark)");
  const root = document.documentElement;
  const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : system.matches);
  const button = element("button", { type: "button", class: "theme" });
  const name = () => { button.textContent = isDark() ? "Light" : "Dark"; button.setAttribute("aria-label", isDark() ? "Light colours" : "Dark colours"); };
  button.addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    name();
  });
  system.addEventListener("change", name);
  name();
  document.querySelector(".top").append(button);
}
