// Explorers that tests have started.

import { spawn, type ChildProcess } from "node:child_process";
import { join } from "node:path";
import { folder } from "./support";

const program = process.env["HEDDLE_EXPLORE"] ?? "";
const running = new Set<ChildProcess>();

export interface Served {
  url: string; // with the token
  origin: string;
  printed: () => string;
  /** Ctrl-C; what was printed in the end, and the exit code. */
  end: () => Promise<{ text: string; code: number | null }>;
  kill: () => Promise<void>;
}

export async function serve(words: string[], environment: NodeJS.ProcessEnv = {}): Promise<Served> {
  const child = spawn(program, ["explore", ...words], {
    cwd: folder,
    env: { ...process.env, XDG_CACHE_HOME: join(folder, "cache"), ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  running.add(child);
  let text = "";
  const ended = new Promise<number | null>((done) => child.on("exit", (code) => (running.delete(child), done(code))));
  child.stderr.on("data", (piece: Buffer) => (text += piece.toString()));
  const url = await new Promise<string>((done, failed) => {
    child.stdout.on("data", (piece: Buffer) => {
      text += piece.toString();
      const found = /(http:\/\/127\.0\.0\.1:\d+\/[0-9a-f]{32}\/)\n/.exec(text);
      if (found) done(found[1]!);
    });
    void ended.then(() => failed(new Error(`heddle explore ${words.join(" ")} has ended: ${text}`)));
  });
  return {
    url,
    origin: new URL(url).origin,
    printed: () => text,
    end: async () => {
      child.kill("SIGINT");
      const code = await ended;
      return { text, code };
    },
    kill: async () => {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

export function endAll(): void {
  for (const child of running) child.kill("SIGKILL");
}
