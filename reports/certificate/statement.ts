/** What an attestation says: an in-toto Statement v1 with the test-result predicate, and a member of our own in it. */
import type { Subject } from '../../fixtures/settings/subject.ts';
import schema from '../../schemas/suite/attestation.schema.json' with { type: 'json' };
import { checkAgainst } from '../document/checked-json.ts';

/** Payload type of the envelope. */
export const PAYLOAD_TYPE = 'application/vnd.in-toto+json';
export const STATEMENT_TYPE = 'https://in-toto.io/Statement/v1';
export const PREDICATE_TYPE = 'https://in-toto.io/attestation/test-result/v0.1';
/** The member of the predicate that is ours; CERTIFICATION.md explains it. */
export const EXTENSION = 'animalStoreConformance_certificate';

/** A thing by its name and SHA-256; `content` is base64, `uri` a package URL. */
export interface Resource {
  name: string;
  digest: { sha256: string };
  uri?: string;
  content?: string;
  mediaType?: string;
}

/** Version of our member. */
export const STATEMENT_VERSION = 2 as const;

/** What the predicate has no member for. Times are ISO 8601 in UTC. */
export interface Certificate {
  version: typeof STATEMENT_VERSION;
  /** Who or what was judged, as the issuer names it. */
  subject: string;
  specification: string;
  suite: { name: string; version: string };
  profile: { name: string; version: number };
  /** Who ran the suite: if it is the vendor, the address is the vendor's word. */
  runBy: 'issuer' | 'vendor';
  /** What the run answers: nothing in its evidence can be older. */
  challenge: { nonce: string; issuedAt: string; notAfter: string };
  validity: { notBefore: string; notAfter: string };
  /** What does not apply to the subject, and each `should` that is undecided. */
  notApplicable: { id: string; reason: string; undecided?: true }[];
  /** Promises that nobody can test from outside. */
  excused: string[];
  /** Requirements that count for nothing in this release, because a conforming implementation was shown to fail them. */
  excluded: string[];
  /** Verdicts that rest on words in the evidence, wholly or in part, with the reasons; all others are computed again from bodies. */
  attested: Record<string, string[]>;
  /** Requests that were sent as an ordinary client sends them, and those of them that a gateway refused. */
  unannounced: { asked: number; refused: number };
  /** Seconds by which the clocks of run and target are apart, if that is a minute or more. */
  clockApart: number | null;
  /** What nothing in the files can say, and whose word it is. */
  words: { by: 'issuer' | 'vendor'; what: string }[];
  /** What nobody can check afterwards: a live address has no digest. */
  claims: {
    address: string;
    environment: string | null;
    /** What was judged, as whoever ran the suite names it; absent if nobody did. */
    subject?: Subject;
    /** Version of Node that ran the suite, and what read the bytes of the answers; absent in evidence of earlier versions. */
    node?: string;
    wire?: string;
    run: string;
    startedAt: string;
    durationMs: number;
  };
}

/** The payload of an attestation. */
export interface Statement {
  _type: typeof STATEMENT_TYPE;
  subject: Resource[];
  predicateType: typeof PREDICATE_TYPE;
  predicate: {
    result: 'PASSED' | 'WARNED' | 'FAILED';
    configuration: Resource[];
    passedTests: string[];
    warnedTests: string[];
    failedTests: string[];
    [EXTENSION]: Certificate;
  };
}

/** What is wrong with a payload (schemas/suite/attestation.schema.json), one line per mistake. */
export const statementMistakes: (statement: unknown) => string[] = checkAgainst(schema, 'first');
