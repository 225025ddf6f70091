/** Says how a target limited the pace of the run. */
import type { Report } from '../../document/report-document.ts';
import { countNoun, writeDuration } from './verdict-words.ts';

/** Says how many requests the target put off; null if it put off none. */
export function describePutOff({ putOff }: Report['run']): string | null {
  if (putOff === undefined || putOff.answers === 0) return null;
  const { answers, waitedMs, limited = 0, mostRps } = putOff;
  const said = `${countNoun(answers, 'answer')} said to come back later (429 or 503), ${writeDuration(waitedMs)} waited`;
  if (limited === 0) return said;
  return `${said}; ${countNoun(limited, 'request')} got 503 without Retry-After, and another answer when asked alone: the target limits what comes fast${mostRps == null ? '' : `; MAX_RPS=${mostRps} asks more slowly`}`;
}
