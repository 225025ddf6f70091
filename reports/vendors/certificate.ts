/** The certificate of a vendor in the matrix. `state`: verified with the key that was given, or why not. */
export interface VendorCertificate {
  notAfter: string;
  state: 'valid' | 'expired' | 'revoked' | 'invalid' | 'unverified';
  why: string;
  /** The subject that it names, if that is not the vendor; else null. */
  names: string | null;
}

/** Whether a subject, such as "Rex Pets 2.3", is somebody else than the vendor, such as "rex": neither has all words of the other. */
export function namesOther(subject: string, vendor: string): boolean {
  const [one, other] = [wordsOf(subject), wordsOf(vendor)];
  const holds = (all: readonly string[], some: readonly string[]) =>
    some.length > 0 && some.every((each) => all.includes(each));
  return !holds(one, other) && !holds(other, one);
}

/** Words without case; numbers are versions, unless there is nothing else. */
function wordsOf(text: string): string[] {
  const all =
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  const words = all.filter((each) => !/^v?\p{N}+$/u.test(each));
  return words.length === 0 ? all : words;
}

/** A certificate in a few words: its state, until when, and for whom if that is another. */
export function certificateInWords({ state, why, notAfter, names }: VendorCertificate): string {
  const because = state === 'revoked' || state === 'invalid' ? ` (${why})` : '';
  return `${state}${because}, until ${notAfter.slice(0, 10)}${names === null ? '' : `, names another vendor: ${names}`}`;
}
