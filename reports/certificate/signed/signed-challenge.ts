/** Challenges: an issuer signs one, a run answers it, and the evidence of the run contains it. */
import { randomBytes, type KeyObject } from 'node:crypto';
import { CHALLENGE_TYPE, parseChallenge, type Challenge } from '../../../fixtures/settings/challenge.ts';
import { writeCanonicalJson } from './canonical.ts';
import { openEnvelope, sealEnvelope } from './envelope.ts';

/**
 * Makes a new challenge as the text of its file.
 * @param validFor milliseconds
 */
export function poseChallenge(
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
  return sealEnvelope(CHALLENGE_TYPE, writeCanonicalJson(challenge), privateKey);
}

/**
 * Reads a challenge that this key must have signed. Returns the challenge, or a sentence that says why it is
 * not usable.
 */
export function readPosedWith(text: string | null, publicKey: KeyObject): Challenge | { problem: string } {
  if (text === null) return { problem: 'the run answers no challenge' };
  const opened = openEnvelope(Buffer.from(text), CHALLENGE_TYPE, publicKey);
  if ('check' in opened)
    return { problem: `the challenge of the run is not one of this issuer: ${opened.why}` };
  const challenge = parseChallenge(opened.payload);
  const isSpelled = challenge !== null && writeCanonicalJson(challenge) === opened.payload.toString('utf8');
  return isSpelled ? challenge : { problem: 'the challenge of the run is none' };
}
