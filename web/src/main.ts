// Unpacks the finding that the page holds, and shows it, or begins to explore. Whatever goes wrong is a sentence.

import { App } from "./app";
import { decode, NotAFinding, unpack } from "./decode";
import { h } from "./dom";
import { explore, isLive } from "./explorer";
import { clean } from "./text";

function show(text: string, started: number, root: HTMLElement): void {
  const finding = decode(text);
  const decoded = performance.now();
  new App(finding, root);
  root.dataset["decodeMs"] = (decoded - started).toFixed(1);
  root.dataset["showMs"] = (performance.now() - decoded).toFixed(1);
}

async function start(): Promise<void> {
  const root = document.getElementById("page")!;
  const data = document.getElementById("finding")!;
  try {
    const started = performance.now();
    const text = await unpack(data.textContent ?? "");
    data.remove();
    if (isLive(text)) await explore(root);
    else show(text, started, root);
  } catch (error) {
    const words =
      error instanceof NotAFinding
        ? error.message
        : `This finding cannot be shown: ${clean(String(error)).slice(0, 300)}. Please report this.`;
    root.replaceChildren(h("main", { class: "message-page", role: "alert" }, h("h1", {}, "Heddle"), h("p", {}, words)));
  }
  root.dataset["ready"] = "true";
}

void start();
