/** The frame of every HTML page that the suite writes. */
import { createHash } from 'node:crypto';
import { Markup, markup } from './markup.ts';
import { PAGE_STYLE } from './page-style.ts';

/** The parts of a page that differ from page to page. */
interface Frame {
  /** Style rules that follow the rules of every page. */
  style?: string;
  /** A script at the end of the page; by default there is none. */
  script?: string;
  /** The end of the first link, `Skip to ...`, with which a keyboard jumps over the head. */
  skipTo?: string;
}

const hash = (text: string) => createHash('sha256').update(text).digest('base64');

/**
 * Returns the page as the text of one HTML file. Its Content-Security-Policy permits only its own style and script, no network, no form.
 * @param body the header, the `main` element with the id `main`, and the footer
 */
export function renderPage(
  title: string,
  body: Markup,
  { style = '', script, skipTo = 'the verdict' }: Frame = {},
): string {
  const rules = `${PAGE_STYLE}${style}`;
  const policy = `default-src 'none'; style-src 'sha256-${hash(rules)}';${script === undefined ? '' : ` script-src 'sha256-${hash(script)}';`} base-uri 'none'; form-action 'none'`;
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${new Markup(rules)}</style>
</head>
<body>
<a class="skip" href="#main">Skip to ${skipTo}</a>
${body}
${
  script !== undefined &&
  markup`<script>${new Markup(script)}</script>
`
}</body>
</html>
`.text;
}
