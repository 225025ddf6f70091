/** Cases that anybody who reads the document would ask first: mistakes that people make are seldom the odd ones that a proof is full of. */
const ORDINARY: readonly RegExp[] = [
  /› Authentication of \w+ › refuses (a request without a key|another key)$/,
  /› Authentication of listPets › refuses (half of the key|the key in .* letter case.*|the key with more behind it)$/,
  /› Authentication of listPets › does not serve the key (without a scheme|under the scheme basic)$/,
  /› is not served without a key$/,
  /› POST \/pets \(createPet\) › (answers 201|accepts|shows the status|echoes name|makes two animals)/,
  /› refuses an animal without a (name|categoryId)$/,
  /› refuses a name that is (null|a number)$/,
  /› refuses a categoryId that is (null|digits in a string)$/,
  /› refuses categoryId (1\.5|9223372036854775808)$/,
  /› refuses a status that is (null|a number)$/,
  /› refuses the status "(unavailable|AVAILABLE|pending |)"$/,
  /› refuses (an absent body|an object without members|a body that is an array of a NewPet|an object cut off before its second member)$/,
  /› echoes names: (characters of the world|punctuation of programs)$/,
  /› echoes categoryId (0|2\^53 \+ 1|the int64 maximum)$/,
  /› GET \/pets \(listPets\) › (answers 200 with an array|lists at most (1|20) animals|lists something)/,
  /› lists at most 20 animals by default$/,
  /› lists no identifier twice for no parameters$/,
  /› lists only \w+ animals for status=/,
  /› keeps (limit=2|the default limit) under status=available$/,
  /› what was added › lists an animal added /,
  /› GET \/pets\/\{petId\} \(getPet\) › (answers 200|shows an animal added)/,
  /› answers 404 to identifiers that no animal has$/,
  /› is still served$/,
];

/** True if anybody would ask the case first. */
export function isOrdinary(key: string): boolean {
  return ORDINARY.some((each) => each.test(key));
}
