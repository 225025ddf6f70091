import { shellWord } from './escape.ts';
import type { RequirementResult } from './report.ts';

/** The command that judges just these requirements again. */
export function onlyCommand(...ids: string[]): string {
  return `npm run conformance -- ${ids.map((id) => `--only ${shellWord(id)}`).join(' ')}`;
}

/** The command that replays a counterexample. */
export function replayCommand(token: string): string {
  return `npm run conformance -- --replay ${shellWord(token)}`;
}

/** Every command that runs this requirement again, the narrowest last. */
export function commandsFor({ id, replay }: Pick<RequirementResult, 'id' | 'replay'>): string[] {
  return [onlyCommand(id), ...(replay === null ? [] : [replayCommand(replay)])];
}
