/**
 * The form of an attestation's payload: an in-toto Statement v1 with the test-result predicate. Our own facts are in one more member of
 * the predicate, the `Certificate`.
 */
import type { Subject } from '../../fixtures/settings/subject.ts';
import schema from '../../schemas/suite/attestation.schema.json' with { type: 'json' };
import { makeSchemaCheck } from '../document/checked-json.ts';

export const PAYLOAD_TYPE = 'application/vnd.in-toto+json';
export const STATEMENT_TYPE = 'https://in-toto.io/Statement/v1';
export const PREDICATE_TYPE = 'https://in-toto.io/attestation/test-result/v0.1';
/** The name of our own member of the predicate. CERTIFICATION.md explains the member. */
export const EXTENSION = 'animalStoreConformance_certificate';

/** A thing with its name and SHA-256. `content` is base64, `uri` is a package URL. */
export interface Resource {
  name: string;
  digest: { sha256: string };
  uri?: string;
  content?: string;
  mediaType?: string;
}

/** Our own member of the predicate. Times are ISO 8601 in UTC. */
export interface Certificate {
  version: 2;
  /** The judged implementation, as the issuer names it. */
  subject: string;
  /** The version of the interface description. */
  specification: string;
  suite: { name: string; version: string };
  profile: { name: string; version: number };
  /** The one who ran the suite. If it was the vendor, only the vendor says that the address is right. */
  runBy: 'issuer' | 'vendor';
  /** The challenge that the run answers. The evidence cannot be older than the challenge. */
  challenge: { nonce: string; issuedAt: string; notAfter: string };
  validity: { notBefore: string; notAfter: string };
  /** Requirements judged in part, because lists end early or announce that they go on. `reason`: which lists, and how many animals they hide. */
  hidden: { id: string; reason: string }[];
  /** Requirements that do not apply to the subject, and each undecided `should`. */
  notApplicable: { id: string; reason: string; undecided?: true }[];
  /** Promises that nobody can test from outside. */
  excused: string[];
  /** Requirements that do not count in this release, because a conforming implementation was shown to fail them. */
  excluded: string[];
  /** The number of requests that were sent as an ordinary client sends them, and how many of these a gateway refused. */
  unannounced: { asked: number; refused: number };
  /** The difference in seconds between the clocks of target and run, if it is more than a minute; null otherwise. */
  clockApart: number | null;
  /** Sentences about facts that no file can prove, each with who claims it. */
  words: { by: 'issuer' | 'vendor'; what: string }[];
  /** Values that nobody can check afterwards, because a live address has no digest (`words` are sentences for readers). */
  claims: {
    address: string;
    environment: string | null;
    /** The judged implementation, as the one who ran the suite names it; absent if it was not named. */
    subject?: Subject;
    /** The version of Node that ran the suite; absent in evidence of earlier versions. */
    node?: string;
    /** The parser that read the answers; absent in evidence of earlier versions. */
    wire?: string;
    /** The mark of the run, and its begin. */
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
    result: 'PASSED' | 'WARNED';
    configuration: Resource[];
    passedTests: string[];
    warnedTests: string[];
    failedTests: string[];
    [EXTENSION]: Certificate;
  };
}

/** An attestation as a signed file. `first`: a mistake is named alone, the first one. */
export const ATTESTATION = { payloadType: PAYLOAD_TYPE, findMistakes: makeSchemaCheck(schema, 'first') };

/**
 * An attestation of any version of the suite. Its statement may have another form, so only two facts are checked: it names its suite,
 * and lists its configuration.
 */
export const ANY_ATTESTATION = {
  ...ATTESTATION,
  findMistakes: (value: unknown) => {
    const { configuration, [EXTENSION]: own } = (value as Partial<Statement> | null)?.predicate ?? {};
    return Array.isArray(configuration) && own?.suite != null ? [] : ['it names no suite'];
  },
};
