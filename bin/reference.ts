#!/usr/bin/env node
/**
 * `npm run reference`: serves the reference service until Ctrl-C. It reads the variables PORT, HOST, API_KEY and API_KEY_FILE.
 * With --health, it asks a reference that is already served, and ends.
 */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { serve } from '../fixtures/reference/serve.ts';
import { referenceCommand as program } from './command-descriptions.ts';
import { printError, printText } from './command-line/output/print.ts';

const options = program.parse().opts<{ port?: string; host?: string; health?: true }>();
const PORT = options.port ?? process.env.PORT ?? '0';
const HOST = options.host ?? process.env.HOST ?? '127.0.0.1';

if (!/^\d{1,5}$/.test(PORT) || Number(PORT) > 65_535)
  refuse(`PORT: expected a number from 0 to 65535, got ${JSON.stringify(PORT)}`);
if (options.health === true && Number(PORT) === 0)
  refuse('PORT: expected the port of the reference that --health asks, got none; set PORT, or add --port');
if (options.health === true) process.exit((await isHealthy(Number(PORT))) ? 0 : 1);

const { API_KEY = '', API_KEY_FILE } = process.env;
const givenKey = API_KEY_FILE === undefined ? API_KEY : readKeyIn(API_KEY_FILE);
const key = givenKey || randomBytes(24).toString('base64url');
// A drawn key is printed, because nobody else knows it. A key that the user gave is not printed.
const keyInCommand = givenKey ? '$API_KEY' : key;
if (!/^[\x21-\x7e]+$/.test(key)) refuse('API_KEY: expected visible ASCII characters without blanks');

const { baseUrl, close } = await serve({ key, port: Number(PORT), host: HOST }).catch(
  (error: NodeJS.ErrnoException) =>
    refuse(`PORT: ${PORT} at ${HOST} cannot be listened on (${error.code ?? error.message})`),
);

printText(`The reference service listens. Ctrl-C ends it.

BASE_URL=${baseUrl}
API_KEY=${givenKey ? '(as it was set)' : key}

curl -H "Authorization: Bearer ${keyInCommand}" '${baseUrl}/pets?limit=5'
curl -H "Authorization: Bearer ${keyInCommand}" -H 'Content-Type: application/json' -d '{"name":"Rex","categoryId":1,"status":"available"}' ${baseUrl}/pets
`);

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void close());

/** True if the reference on this machine answers 401 to a request without a key. */
async function isHealthy(port: number): Promise<boolean> {
  const answer = await fetch(`http://127.0.0.1:${port}/v1/pets`, {
    signal: AbortSignal.timeout(2_000),
  }).catch(() => null);
  return answer?.status === 401;
}

function readKeyIn(path: string): string {
  try {
    return readFileSync(path, 'utf8').replace(/[\r\n]+$/, '');
  } catch (error) {
    return refuse(
      `API_KEY_FILE: ${path} cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'})`,
    );
  }
}

/** Prints the mistake in a setting, and ends with exit code 2. */
function refuse(message: string): never {
  printError(`${message}\n`);
  process.exit(2);
}
