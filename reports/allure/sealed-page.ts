import { createHash } from 'node:crypto';

const TAG_MANAGER =
  /<script\b[^>]*\bsrc="https:\/\/www\.googletagmanager\.com\/[^>]*><\/script>\s*<script>[^]*?<\/script>/;
const INLINE_SCRIPT = /<script(?![^>]*\ssrc=)[^>]*>([^]*?)<\/script>/g;

/**
 * Allure's page without its visitor statistics and with a policy that lets nothing leave the browser: only the scripts
 * that stand in the file now may run, and everything that the page shows comes from the file.
 */
export function sealedPage(html: string): string {
  const page = html.replace(TAG_MANAGER, '');
  const hashes = [...page.matchAll(INLINE_SCRIPT)].map(
    ([, script = '']) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  );
  const policy = [
    "default-src 'none'",
    `script-src data: ${[...new Set(hashes)].join(' ')}`,
    "style-src data: 'unsafe-inline'",
    'img-src data: blob:',
    'font-src data:',
    'connect-src data: blob:',
    'frame-src data: blob:',
    "form-action 'none'",
  ].join('; ');
  return page.replace(
    '<head>',
    () =>
      `<head>\n    <meta http-equiv="Content-Security-Policy" content="${policy}">\n    <meta name="referrer" content="no-referrer">`,
  );
}
