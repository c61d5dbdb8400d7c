// Asks the server of the explorer. Whatever goes wrong is a sentence that says what to do.

import { clean } from "./text";

export class Refused extends Error {
  constructor(
    message: string,
    readonly unreachable: boolean,
  ) {
    super(message);
  }
}

const silence =
  "The explorer does not answer. A search that it has begun goes on. If the explorer was ended in its terminal, start " +
  "it again and load the address that it prints.";

/** Without a body it is a question only. */
export async function ask(what: string, body?: unknown): Promise<string> {
  let response: Response, text: string;
  try {
    response = await fetch(
      `api/${what}`,
      body === undefined
        ? {}
        : { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) },
    );
    text = await response.text();
  } catch {
    throw new Refused(silence, true);
  }
  if (!response.ok) throw new Refused(clean(text.trim()).slice(0, 2_000) || `The explorer refuses (${response.status}).`, false);
  return text;
}

const pauses = [400, 800, 1600, 3200]; // ms

/** Asks again if nobody answers: after a handler has crashed, the server comes back under the same address. */
export async function askPatiently(what: string, body: unknown, waiting: () => void): Promise<string> {
  for (const pause of pauses) {
    try {
      return await ask(what, body);
    } catch (error) {
      if (!(error instanceof Refused) || !error.unreachable) throw error;
      waiting();
      await new Promise((done) => window.setTimeout(done, pause));
    }
  }
  return ask(what, body);
}

export function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
