import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';

const TAG_MANAGER =
  /<script\b[^>]*\bsrc="https:\/\/www\.googletagmanager\.com\/[^>]*><\/script>\s*<script>[^]*?<\/script>/;
const INLINE_SCRIPT = /<script(?![^>]*\ssrc=)[^>]*>([^]*?)<\/script>/g;

/** The one script that is a file: Allure's own program, two thirds of a page. */
const PROGRAM = /<script[^>]*\ssrc="data:text\/javascript;base64,([^"]*)"[^>]*><\/script>/;

/** Unpacks the program and starts it. The policy of the page lets it come from a data address only. */
const UNPACK = `
const packed = Uint8Array.from(atob(document.getElementById('program').textContent), (each) => each.charCodeAt(0));
const program = new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip')));
program.blob().then((blob) => {
  const reader = new FileReader();
  reader.onload = () => {
    const script = document.createElement('script');
    script.src = reader.result.replace(/^data:[^;,]*/, 'data:text/javascript');
    document.body.append(script);
  };
  reader.readAsDataURL(blob);
});
`;

/** The page with its program packed, which is a quarter of the size: every browser since 2023 unpacks it. */
function packed(html: string): string {
  return html.replace(
    PROGRAM,
    (_, program: string) =>
      `<script id="program" type="text/plain">${gzipSync(Buffer.from(program, 'base64')).toString('base64')}</script>\n<script>${UNPACK}</script>`,
  );
}

/**
 * Allure's page without its visitor statistics and with a policy that lets nothing leave the browser: only the scripts
 * that are in the file now may run, and everything that the page shows comes from the file.
 */
export function sealedPage(html: string): string {
  const page = packed(html.replace(TAG_MANAGER, ''));
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
