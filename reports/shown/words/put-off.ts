/** Says how a target delayed the run. */
import type { Report } from '../../document/report-document.ts';
import { countNoun, writeDuration } from './verdict-words.ts';

/** Says how many connections ended without an answer and how many requests the target put off; null if none. */
export function describePutOff({ putOff }: Report['run']): string | null {
  if (putOff === undefined) return null;
  const { answers, waitedMs, resent = 0, awayMs = 0, limited = 0, mostRps } = putOff;
  const parts = [
    resent > 0 &&
      `${countNoun(resent, 'connection')} ended without an answer, and what was asked was asked again`,
    answers > 0 &&
      `${countNoun(answers, 'answer')} said to come back later (429 or 503), ${writeDuration(waitedMs)} waited`,
    awayMs > 0 && `out of service for ${writeDuration(awayMs)}: 503 each time`,
    limited > 0 &&
      `${countNoun(limited, 'request')} got 503 without Retry-After, and another answer when asked alone: the target limits what comes fast${mostRps == null ? '' : `; MAX_RPS=${mostRps} asks more slowly`}`,
  ];
  return parts.filter(Boolean).join('; ') || null;
}
