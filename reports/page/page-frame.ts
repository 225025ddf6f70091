import { createHash } from 'node:crypto';
import { Markup, markup } from './markup.ts';
import { PAGE_STYLE } from './page-style.ts';

const STYLE_HASH = createHash('sha256').update(PAGE_STYLE).digest('base64');
/** No script, no network, no form: this one style sheet and nothing else. */
const POLICY = `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; form-action 'none'`;

/** A whole page in one file. `body` holds the landmarks; its `main` has the id `main`. */
export function page(title: string, body: Markup): string {
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${new Markup(PAGE_STYLE)}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the verdict</a>
${body}
</body>
</html>
`.text;
}
