/** The rooms of the project, and the list of them that ARCHITECTURE.md shows. */
import rooms from '../rooms.json' with { type: 'json' };
import type { Imports } from './imports.ts';

/** A folder with what lies below it, up to the next room. Listed from the ground up: imports run down only. */
interface Room {
  room: string;
  holds: string;
  /** Other rooms may import only these files (without `.ts`) and folders (`words/`). If a room names none, they may import all. */
  doors?: readonly string[];
  /** Folders in it that hold one file for each of something, however many. */
  'one file each'?: Readonly<Record<string, string | undefined>>;
}

/** The rooms, from the ground up. */
export const ROOMS: readonly Room[] = rooms;

/** The room of a file: the deepest that holds it. */
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

/** Returns the imports that break the order or a door, as `file imports file`. */
export function trespasses(imports: Imports): string[] {
  const height = new Map(ROOMS.map(({ room }, index) => [room, index]));
  const isWrong = (from: string, to: string) => {
    const [own, other] = [roomOf(from), roomOf(to)];
    if (own === other || own === 'tests/self' || own === '') return false;
    return (height.get(other) ?? Infinity) > (height.get(own) ?? -1) || !isDoor(to);
  };
  return [...imports].flatMap(([from, all]) =>
    all.filter((to) => isWrong(from, to)).map((to) => `${from} imports ${to}`),
  );
}

/** A line for each room, from the ground up: `- \`fixtures/reference/\`: the reference service`. */
export const listOfRooms = () => ROOMS.map(({ room, holds }) => `- \`${room}/\`: ${holds}`).join('\n');
