/** Challenges: signed by an issuer, answered by a run, and known again in its evidence. */
import { randomBytes, type KeyObject } from 'node:crypto';
import { CHALLENGE_TYPE, challengeIn, type Challenge } from '../../../fixtures/settings/challenge.ts';
import { canonicalJson } from './canonical.ts';
import { open, seal } from './envelope.ts';

/** A new challenge as the text of its file. `validFor`: milliseconds. */
export function pose(
  { subject, runBy, now, validFor }: Pick<Challenge, 'subject' | 'runBy'> & { now: number; validFor: number },
  privateKey: KeyObject,
): string {
  const challenge: Challenge = {
    version: 1,
    nonce: randomBytes(32).toString('hex'),
    subject,
    runBy,
    issuedAt: new Date(now).toISOString(),
    notAfter: new Date(now + validFor).toISOString(),
  };
  return seal(CHALLENGE_TYPE, canonicalJson(challenge), privateKey);
}

/** The challenge in a text, which must be signed by this key; or in words why there is none. */
export function posedWith(text: string | null, publicKey: KeyObject): Challenge | { problem: string } {
  if (text === null) return { problem: 'the run answers no challenge' };
  const opened = open(Buffer.from(text), CHALLENGE_TYPE, publicKey);
  if ('check' in opened)
    return { problem: `the challenge of the run is not one of this issuer: ${opened.why}` };
  const challenge = challengeIn(opened.payload);
  const isSpelled = challenge !== null && canonicalJson(challenge) === opened.payload.toString('utf8');
  return isSpelled ? challenge : { problem: 'the challenge of the run is none' };
}
