/** Names that keep their small letter, wherever they are. */
const NAMES = /^(listPets|createPet|getPet)\b/;

/** A text as a sentence begins; the name of an operation stays as it is. */
export function sentence(text: string): string {
  return NAMES.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1);
}
