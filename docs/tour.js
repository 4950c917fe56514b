// Runs the programs of the tour on its page: Python by Pyodide, with the textbook's search.

const site = new URL(".", import.meta.url);
let python; // a promise of the interpreter, from the first program on

async function start() {
  const { loadPyodide } = await import(new URL("pyodide/pyodide.mjs", site));
  const interpreter = await loadPyodide();
  const answer = await fetch(new URL("textbook.zip", site));
  interpreter.unpackArchive(await answer.arrayBuffer(), "zip");
  return interpreter;
}

async function run(code, button, shown) {
  button.disabled = true;
  shown.textContent = python ? "running ..." : "loading Python, some 12 MB ...";
  try {
    python ??= start().catch((problem) => {
      python = undefined; // the next click tries again
      throw new Error(`cannot load Python here: ${problem.message}`);
    });
    const interpreter = await python;
    const lines = [];
    interpreter.setStdout({ batched: (line) => lines.push(line) });
    const names = interpreter.toPy({ __name__: "__main__" });
    try {
      await interpreter.runPythonAsync(code.textContent, { globals: names });
    } finally {
      names.destroy();
    }
    shown.textContent = lines.join("\n");
  } catch (problem) {
    shown.textContent = problem.message;
  }
  button.disabled = false;
}

for (const code of document.querySelectorAll("code.language-python")) {
  code.contentEditable = "plaintext-only";
  code.spellcheck = false;
  const button = document.createElement("button");
  button.textContent = "Run";
  const shown = document.createElement("pre");
  shown.setAttribute("aria-live", "polite");
  button.addEventListener("click", () => run(code, button, shown));
  code.parentElement.after(button, shown);
}
