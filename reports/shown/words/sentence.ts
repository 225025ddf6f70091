/** Names of operations keep their small letter everywhere. */
const NAMES = /^(listPets|createPet|getPet)\b/;

/** Writes the first letter large, except in the name of an operation. */
export function capitalize(text: string): string {
  return NAMES.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1);
}
