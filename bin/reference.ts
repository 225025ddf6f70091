/** Serves the reference service for people to play with, until Ctrl-C. PORT and API_KEY are honoured. */
import { randomBytes } from 'node:crypto';
import { serve } from '../fixtures/implementations/serve.ts';
import { command } from './command.ts';

command('reference', 'Serves the reference service to play with, until Ctrl-C. PORT and API_KEY are honoured.').parse();

const { PORT = '0', API_KEY = '' } = process.env;
const key = API_KEY || randomBytes(24).toString('base64url');
// a key that was brought along stays in its variable
const shown = API_KEY ? '$API_KEY' : key;

function refuse(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(2);
}

if (!/^\d{1,5}$/.test(PORT) || Number(PORT) > 65_535) refuse(`PORT: expected a number from 0 to 65535, got ${JSON.stringify(PORT)}`);
if (!/^[\x21-\x7e]+$/.test(key)) refuse('API_KEY: expected visible ASCII characters without blanks');

const { baseUrl, close } = await serve({ key, port: Number(PORT) }).catch((error: NodeJS.ErrnoException) =>
  refuse(`PORT: ${PORT} cannot be listened on (${error.code ?? error.message})`),
);

process.stdout.write(`The reference service listens. Ctrl-C ends it.

BASE_URL=${baseUrl}
API_KEY=${API_KEY ? '(as it was set)' : key}

curl -H "Authorization: Bearer ${shown}" '${baseUrl}/pets?limit=5'
curl -H "Authorization: Bearer ${shown}" -H 'Content-Type: application/json' -d '{"name":"Rex","categoryId":1,"status":"available"}' ${baseUrl}/pets
`);

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void close());
