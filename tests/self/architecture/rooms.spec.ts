import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path/posix';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { circlesIn, importsOf, sourcesBelow, textBelow, type Imports } from './imports.ts';
import { roomOf, ROOMS, listOfRooms, trespasses } from './map-of-rooms.ts';

/** The root of the project, seen from the compiled tests: what is read are the sources. */
const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));
const FILES = sourcesBelow(ROOT, ['bin', 'fixtures', 'reports', 'tests']);
let imports: Imports;
test.beforeAll(() => void (imports = importsOf(FILES, textBelow(ROOT))));

test('every file has a room, and every room has files', () => {
  expect(FILES.length).toBeGreaterThan(300);
  expect(FILES.filter((file) => roomOf(file) === '')).toEqual([]);
  // the folder of the commands' descriptions comes with the one command
  expect(
    ROOMS.filter(({ room }) => room !== 'bin/commands' && !FILES.some((file) => roomOf(file) === room)).map(
      ({ room }) => room,
    ),
  ).toEqual([]);
});

test('every folder of fixtures and reports is a room', () => {
  const folders = new Set(
    FILES.map((file) => file.split('/'))
      .filter(([top, , name]) => (top === 'fixtures' || top === 'reports') && name !== undefined)
      .map(([top, folder]) => `${top}/${folder}`),
  );
  expect([...folders].filter((folder) => !ROOMS.some(({ room }) => room === folder))).toEqual([]);
});

test('doors are files', () => {
  const doors = ROOMS.flatMap(({ room, doors = [] }) => doors.map((door) => `${room}/${door}.ts`));
  expect(doors.filter((door) => !existsSync(join(ROOT, door)))).toEqual([]);
});

test('imports run down only, through doors', () => {
  expect(trespasses(imports)).toEqual([]);
});

test('no file imports itself by a way round, not even its types', () => {
  expect(circlesIn(imports)).toEqual([]);
});

test('a circle, a way up and a closed door are seen', () => {
  const texts: Record<string, string> = {
    'fixtures/transport/transport.ts': "import type { Engine } from '../session/engine.ts';",
    'fixtures/session/engine.ts':
      "export { wire } from '../transport/transport.ts';\nexport type Read = import('../redaction/layers.ts').Layer;",
    'fixtures/redaction/layers.ts': '',
  };
  const own = importsOf(Object.keys(texts), (file) => texts[file] ?? '');
  expect(circlesIn(own)).toEqual([['fixtures/transport/transport.ts', 'fixtures/session/engine.ts']]);
  expect(trespasses(own)).toEqual([
    'fixtures/transport/transport.ts imports fixtures/session/engine.ts',
    'fixtures/session/engine.ts imports fixtures/redaction/layers.ts',
  ]);
});

test('ARCHITECTURE.md shows these rooms', () => {
  const text = readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8');
  expect(text, 'the list of rooms in ARCHITECTURE.md is made of tests/self/rooms.json').toContain(
    listOfRooms(),
  );
});
