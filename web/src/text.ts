// Text from a finding, made safe to show. Control characters, marks that change the direction of writing and halves of
// characters become ␛, so that no name can look like another or turn a line around.

const unprintable =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/g;
const halves = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

export const longestName = 200; // of lanes, steps, types and fields; the rest is cut off when a finding is read
export const longestValue = 200; // of a value, until somebody asks for more
export const longestText = 20_000;

export function clean(text: string): string {
  return text.replace(unprintable, "␛").replace(halves, "␛");
}

/** Cuts a text to so many characters. The end is lost: values are told apart by their beginnings. */
export function clip(text: string, most: number): string {
  return text.length <= most ? text : clean(text.slice(0, Math.max(most - 1, 0))) + "…";
}

/** Shortens a name and keeps its end, by which members of a role are told apart: acc…3. */
export function shortName(name: string, most: number): string {
  if (name.length <= most) return name;
  const end = /\s*\S{1,4}$/.exec(name)?.[0].trim() ?? "";
  const begin = Math.max(most - end.length - 1, 1);
  return `${name.slice(0, begin).trim()}…${end.length < most ? end : ""}`;
}

/** "1 step", "1,234 steps". */
export function counted(count: number, noun: string): string {
  return `${grouped(count)} ${noun}${count === 1 ? "" : "s"}`;
}

export function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ",");
}

export function listed(words: readonly string[], last = "and"): string {
  if (words.length < 2) return words.join("");
  return `${words.slice(0, -1).join(", ")} ${last} ${words[words.length - 1]}`;
}
