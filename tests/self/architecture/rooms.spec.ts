/** Rooms (rooms.json): every file has one. A file imports only from rooms listed before its own, through doors, and in no circle. */
import { existsSync } from 'node:fs';
import { join } from 'node:path/posix';
import { expect, test } from '@playwright/test';
import { circlesIn, importsBetweenParts, importsOf, readSource, ROOT, SOURCES } from './imports.ts';
import { sourcesBelow, type Imports } from './imports.ts';
import { findForbiddenImports, roomOf, ROOMS, writeRoomList } from './map-of-rooms.ts';

/** Returns the folders around a file, e.g. `fixtures` and `fixtures/session` for `fixtures/session/engine.ts`. */
const listFoldersOf = (file: string) =>
  file.split('/').flatMap((_, index, parts) => (index === 0 ? [] : [parts.slice(0, index).join('/')]));

let imports: Imports;
test.beforeAll(() => void (imports = importsOf(SOURCES, readSource)));

test('every file has a room, every room has files, and rooms are few', () => {
  expect(SOURCES.length).toBeGreaterThan(300);
  expect(SOURCES.filter((file) => roomOf(file) === '')).toEqual([]);
  expect(ROOMS.length).toBeLessThanOrEqual(20);
  expect(ROOMS.filter(({ room }) => !SOURCES.some((file) => roomOf(file) === room))).toEqual([]);
});

test('every folder of fixtures and reports is a room', () => {
  const folders = new Set(
    SOURCES.map((file) => file.split('/'))
      .filter(([top, , name]) => (top === 'fixtures' || top === 'reports') && name !== undefined)
      .map(([top, folder]) => `${top}/${folder}`),
  );
  expect([...folders].filter((folder) => !ROOMS.some(({ room }) => room === folder))).toEqual([]);
});

test('doors are files and folders', () => {
  const doors = ROOMS.flatMap(({ room, doors = [] }) =>
    doors.map((door) => `${room}/${door}${door.endsWith('/') ? '' : '.ts'}`),
  );
  expect(doors.filter((door) => !existsSync(join(ROOT, door)))).toEqual([]);
});

test('a file imports only from its room and rooms listed before it, through doors', () => {
  expect(findForbiddenImports(imports)).toEqual([]);
});

test('no file imports itself through others, not even its types', () => {
  expect(circlesIn(imports)).toEqual([]);
});

test('no folder imports itself through others', () => {
  const folders = new Set(SOURCES.filter((file) => roomOf(file) !== 'tests/self').flatMap(listFoldersOf));
  expect(folders.size).toBeGreaterThan(40);
  expect([...folders].flatMap((folder) => circlesIn(importsBetweenParts(folder, imports)))).toEqual([]);
});

test('a circle, and an import from a room listed later, are seen', () => {
  const texts: Record<string, string> = {
    'fixtures/evidence/log.ts': "import type { Engine } from '../session/engine.ts';",
    'fixtures/session/engine.ts': "export type Log = import('../evidence/log.ts').Log;",
  };
  const circular = importsOf(Object.keys(texts), (file) => texts[file] ?? '');
  expect(circlesIn(circular)).toEqual([Object.keys(texts)]);
  expect(findForbiddenImports(circular)).toEqual([
    'fixtures/evidence/log.ts imports fixtures/session/engine.ts',
  ]);
});

test('ARCHITECTURE.md shows these rooms', () => {
  const text = readSource('ARCHITECTURE.md');
  expect(text, 'the list of rooms in ARCHITECTURE.md is made of tests/self/rooms.json').toContain(
    writeRoomList(),
  );
});

test('tests ask, and judge nobody: they import no flaw, no undecided end and no timer', () => {
  // scope.ts is excepted: it ends tests.
  const files = sourcesBelow('fixtures/asking', 'tests').filter(
    (file) => !/^tests.self|scope.ts$/.test(file),
  );
  const forbidden = /import [^;]*\b(makeFlaw|endTest|Undecided)\b[^;]*;|from 'node:timers/;
  expect(files.filter((file) => forbidden.test(readSource(file)))).toEqual([]);
  expect("import { cut, makeFlaw } from './finding.ts';").toMatch(forbidden);
});
