// Runs each program of a JSON list in Pyodide, as the page of the tour does, and prints their outputs as JSON:
// node tour.mjs PYODIDE TEXTBOOK.zip < programs.json

import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [folder, archive] = process.argv.slice(2);

async function outputs(programs) {
  const { loadPyodide } = await import(pathToFileURL(`${folder}/pyodide.mjs`));
  const python = await loadPyodide({ indexURL: `${folder}/` });
  python.unpackArchive(new Uint8Array(readFileSync(archive)), "zip");
  const found = [];
  for (const program of programs) {
    const lines = [];
    python.setStdout({ batched: (line) => lines.push(line) });
    const names = python.toPy({ __name__: "__main__" });
    await python.runPythonAsync(program, { globals: names });
    found.push(lines.map((line) => `${line}\n`).join(""));
  }
  return found;
}

try {
  console.log(JSON.stringify(await outputs(JSON.parse(readFileSync(0, "utf-8")))));
} catch (problem) {
  console.error(problem.message); // without the line of code, which may have a million characters
  process.exit(1);
}
