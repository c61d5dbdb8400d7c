// JSON values as people write them, with the same rules as the pictures of the program (src/report/values.h):
// {"n":1,"v":null} becomes {n=1, v=none}; an object with a string member "op" or "kind" is a call, write(1); strings
// lose their quotes where no doubt can arise. Nothing here prints more than it is asked for, however large the value.

import { clean, longestValue } from "./text";

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

/** Stands before the digits of a number that JavaScript cannot hold (decode.ts). */
export const digitsMark = "\u0001";

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const plainWord = /^[A-Za-z_][\w.-]*( -?\d+)?$/;

class Printer {
  text = "";
  constructor(private readonly most: number) {}

  get full(): boolean {
    return this.text.length > this.most;
  }

  value(value: Json): void {
    if (this.full) return;
    if (value === null) this.text += "none";
    else if (typeof value === "string") this.string(value);
    else if (Array.isArray(value)) this.array(value);
    else if (typeof value === "object") this.record(value);
    else this.text += String(value);
  }

  members(members: readonly [string, Json][]): void {
    members.forEach(([name, value], i) => {
      if (this.full) return;
      this.text += `${i > 0 ? ", " : ""}${clean(name.slice(0, this.most))}=`;
      this.value(value);
    });
  }

  call(name: string, args: readonly [string, Json][]): void {
    this.text += clean(name.slice(0, this.most));
    if (args.length === 0) return;
    this.text += "(";
    const only = args[0]![1];
    if (args.length > 1) this.members(args);
    else if (isObject(only) && Object.keys(only).length > 0 && callName(only) === undefined)
      this.members(entries(only));
    else this.value(only);
    this.text += ")";
  }

  private string(value: string): void {
    const shown = clean(value.slice(0, this.most + 1));
    if (value.startsWith(digitsMark)) this.text += value.slice(1, this.most + 1);
    else if (plainWord.test(shown) && !["none", "true", "false"].includes(shown)) this.text += shown;
    else this.text += `"${shown.replace(/["\\]/g, "\\$&")}"`;
  }

  private array(value: readonly Json[]): void {
    this.text += "[";
    for (let i = 0; i < value.length && !this.full; ++i) {
      if (i > 0) this.text += ", ";
      this.value(value[i]!);
    }
    this.text += "]";
  }

  private record(value: JsonObject): void {
    const name = callName(value);
    if (name !== undefined) {
      this.call(
        String(value[name]),
        entries(value).filter(([key, one]) => key !== name && !isNothing(one)),
      );
      return;
    }
    this.text += "{";
    this.members(entries(value));
    this.text += "}";
  }
}

function entries(value: JsonObject): [string, Json][] {
  return Object.entries(value);
}

function callName(value: JsonObject): "op" | "kind" | undefined {
  return typeof value["op"] === "string" ? "op" : typeof value["kind"] === "string" ? "kind" : undefined;
}

function isNothing(value: Json): boolean {
  if (value === null || value === "nobody") return true;
  if (!isObject(value)) return false;
  const members = Object.values(value);
  return members.length === 0 || (members.length === 1 && isNothing(members[0]!));
}

function printed(most: number, print: (printer: Printer) => void): string {
  const printer = new Printer(most);
  print(printer);
  return printer.full ? printer.text.slice(0, most - 1) + "…" : printer.text;
}

export function valueText(value: Json | undefined, most = longestValue): string {
  return value === undefined ? "unknown" : printed(most, (printer) => printer.value(simple(value)));
}

/** {value: x} stands for x. */
export function simple(value: Json): Json {
  return isObject(value) && Object.keys(value).length === 1 && "value" in value ? value["value"]! : value;
}

/** Prepare(1), Accept(n=1, v=none), Ack. */
export function messageText(type: string, body: Json, most = longestValue): string {
  const args = isObject(body) ? entries(body) : [];
  return printed(most, (printer) => printer.call(type, args));
}

const deepest = 200; // levels that are compared; what differs below them only counts as different

export function sameValue(a: Json | undefined, b: Json | undefined, depth = 0): boolean {
  if (a === b) return true;
  if (depth > deepest) return false;
  if (a === undefined || b === undefined || a === null || b === null) return false;
  if (typeof a !== "object" || typeof b !== "object") return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every((key) => sameValue((a as JsonObject)[key], (b as JsonObject)[key], depth + 1));
}

export interface Change {
  path: string; // "log[0].term", below the field; empty: the whole value
  before: Json | undefined; // undefined: it was not there
  after: Json | undefined;
}

const mostChanges = 50;

/**
 * The differences of two values by path, only those that changed. A list that lost an element in its middle is one
 * change.
 */
export function changes(before: Json, after: Json): Change[] {
  const out: Change[] = [];
  const compare = (path: string, a: Json | undefined, b: Json | undefined, depth = 0): void => {
    if (out.length >= mostChanges || sameValue(a, b)) return;
    if (depth > deepest / 4) {
      out.push({ path, before: a, after: b });
      return;
    }
    if (isObject(a) && isObject(b) && callName(a) === undefined && callName(b) === undefined) {
      for (const key of new Set([...Object.keys(a), ...Object.keys(b)]))
        compare(`${path}${path ? "." : ""}${key}`, a[key], b[key], depth + 1);
    } else if (Array.isArray(a) && Array.isArray(b) && begins(a, b)) {
      for (let i = a.length; i < b.length; ++i) compare(`${path}[${i}]`, undefined, b[i]);
    } else if (Array.isArray(a) && Array.isArray(b) && a.length === b.length) {
      a.forEach((one, i) => compare(`${path}[${i}]`, one, b[i], depth + 1));
    } else {
      out.push({ path, before: a, after: b });
    }
  };
  compare("", simple(before), simple(after));
  return out;
}

function begins(a: readonly Json[], b: readonly Json[]): boolean {
  return a.length < b.length && a.every((one, i) => sameValue(one, b[i]));
}
