/** The rooms of the project, and the list of them that ARCHITECTURE.md shows. */
import rooms from '../rooms.json' with { type: 'json' };
import type { Imports } from './imports.ts';

/** A folder and all below it, without the rooms in it. A room may import only itself and rooms listed before it. */
interface Room {
  room: string;
  holds: string;
  /** Other rooms may import only these files (without `.ts`) and folders (`words/`). If a room names none, they may import all. */
  doors?: readonly string[];
}

/** The rooms in their order: each may import the ones before it. */
export const ROOMS: readonly Room[] = rooms;

/** Returns the room of a file: the deepest one. Empty: the file has no room. */
export function roomOf(file: string): string {
  const holding = ROOMS.map(({ room }) => room).filter((room) => file.startsWith(`${room}/`));
  return holding.sort((left, right) => right.length - left.length)[0] ?? '';
}

/** True if other rooms may import the file: it is a door or lies in one, or its room names none. */
function isDoor(file: string): boolean {
  const { room, doors } = ROOMS.find((each) => each.room === roomOf(file)) ?? {};
  const isBehind = (door: string) =>
    door.endsWith('/') ? file.startsWith(`${room}/${door}`) : file === `${room}/${door}.ts`;
  return doors === undefined || doors.some(isBehind);
}

/** Returns the imports that break the order of the rooms or pass no door, as `file imports file`. */
export function findForbiddenImports(imports: Imports): string[] {
  const position = new Map(ROOMS.map(({ room }, index) => [room, index]));
  const isWrong = (from: string, to: string) => {
    const [own, other] = [roomOf(from), roomOf(to)];
    // Self-tests may look into every room. Another test reports a file without a room.
    if (own === other || own === 'tests/self' || own === '') return false;
    return (position.get(other) ?? Infinity) > (position.get(own) ?? -1) || !isDoor(to);
  };
  return [...imports].flatMap(([from, all]) =>
    all.filter((to) => isWrong(from, to)).map((to) => `${from} imports ${to}`),
  );
}

/** Writes a line for each room, in their order: `- \`fixtures/reference/\`: the reference service`. */
export const writeRoomList = () => ROOMS.map(({ room, holds }) => `- \`${room}/\`: ${holds}`).join('\n');
