/** HTML for pages. `markup` makes it, and escapes every value. */
import { escapeHtml } from '../words/escape.ts';

/** HTML that is safe to put into a page. `markup` makes it; `page-frame.ts` makes it of the styles and the script of the suite. */
export class Markup {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Part = string | number | null | false | Markup | readonly Part[];

/**
 * A template tag: markup`<p>${text}</p>`. The template is HTML. A value in it is text and is escaped, unless it is a Markup or a
 * list of these. Null and false add nothing.
 */
export function markup(template: TemplateStringsArray, ...parts: Part[]): Markup {
  return new Markup(template.map((literal, index) => literal + render(parts[index] ?? null)).join(''));
}

/** Returns a moment: `2026-11-24 10:00:00 UTC`. @param time ISO 8601, UTC */
export function renderTime(time: string): Markup {
  return markup`<time datetime="${time}">${time.replace('T', ' ').replace(/(\.\d+)?Z$/, ' UTC')}</time>`;
}

function render(part: Part): string {
  if (part === null || part === false) return '';
  if (part instanceof Markup) return part.text;
  if (typeof part === 'string' || typeof part === 'number') return escapeHtml(String(part));
  return part.map(render).join('');
}
