// Where a window of the explorer is: a path, as the choice of a step in each state. The address has it, so that a window
// can be opened again, bookmarked and sent: #path=0:1.0.2;run/3. What follows the semicolon is the place on the page.

export interface Position {
  initial: number; // state
  path: number[];
}

export const theBeginning: Position = { initial: 0, path: [] };

export function prefixOf(position: Position): string {
  return `path=${position.initial}:${position.path.join(".")};`;
}

export function positionIn(fragment: string): Position | undefined {
  const found = /^#path=(\d{1,9}):(\d{1,9}(?:\.\d{1,9})*)?(?:;.*)?$/.exec(fragment);
  if (!found) return undefined;
  return { initial: Number(found[1]), path: found[2] === undefined ? [] : found[2].split(".").map(Number) };
}

export function samePosition(a: Position, b: Position): boolean {
  return prefixOf(a) === prefixOf(b);
}

/** The first steps of a path. */
export function upTo(position: Position, steps: number): Position {
  return { initial: position.initial, path: position.path.slice(0, steps) };
}
