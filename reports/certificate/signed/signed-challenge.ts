/**
 * Makes and reads challenges of an issuer. The run that answers a challenge has it in its evidence, so the evidence is not older than the
 * challenge.
 */
import { randomBytes, type KeyObject } from 'node:crypto';
import { CHALLENGE_TYPE, isChallenge, type Challenge } from '../../../fixtures/settings/challenge.ts';
import { writeCanonicalJson } from './canonical.ts';
import { openEnvelope, sealEnvelope, Rejected, type SignedKind } from './envelope.ts';

/** The kind of file that `openEnvelope` reads. A wrong one fails the `check` of this name. `reasonPrefix` begins the reason. */
const KIND = {
  payloadType: CHALLENGE_TYPE,
  check: 'challenge',
  reasonPrefix: 'the challenge of the run is not one of this issuer: ',
  findMistakes: (value: unknown) => (isChallenge(value) ? [] : ['it is not a challenge']),
} satisfies SignedKind;

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
 * Reads a challenge that this key must have signed.
 * @throws Rejected
 */
export function readSignedChallenge(text: string | null, publicKey: KeyObject): Challenge {
  if (text === null) throw new Rejected(KIND.check, 'the run answers no challenge');
  return openEnvelope<Challenge>(Buffer.from(text), KIND, publicKey);
}
