// Elements. Text gets in as text only: nothing here, and nothing that uses it, takes markup; and what it could do to a
// line is taken out of it here, wherever it comes from.

import { clean } from "./text";

type Child = Node | string | undefined | false;

export interface Attributes {
  [name: string]: string | number | boolean | undefined | ((event: Event) => void);
}

function fill(element: Element, attributes: Attributes, children: Child[]): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name, value);
    else element.setAttribute(name, value === true ? "" : clean(String(value)));
  }
  for (const child of children) {
    if (child === undefined || child === false) continue;
    element.append(typeof child === "string" ? clean(child) : child);
  }
}

export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  fill(element, attributes, children);
  return element;
}

export function s(tag: string, attributes: Attributes = {}, ...children: Child[]): SVGElement {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  fill(element, attributes, children);
  return element;
}

/** Places an element; a policy without inline styles allows it this way. */
export function place<E extends HTMLElement>(
  element: E,
  style: Partial<Record<"top" | "left" | "width" | "height", number>>,
): E {
  for (const [name, value] of Object.entries(style)) element.style.setProperty(name, `${value}px`);
  return element;
}

let measured: CanvasRenderingContext2D | null | undefined;
const widths = new Map<string, number>();

/** The width of one character of the drawing's fonts, on average: labels are cut to fit, not measured one by one. */
export function characterWidth(font: string): number {
  let width = widths.get(font);
  if (width === undefined) {
    measured ??= document.createElement("canvas").getContext("2d");
    if (measured) measured.font = font;
    width = measured ? measured.measureText("abcdefghijklmnopqrstuvwxyz0123").width / 30 : 7;
    widths.set(font, width);
  }
  return width;
}
