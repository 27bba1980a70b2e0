const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const TRANSACTION = /^[\w-]{43}$/;

/**
 * What a person typed, as what they mean: the id of an identity or of its transaction as it is; a domain in lower case, with
 * the suffix where they left it out. Whether it exists, or can exist, the server says.
 */
export function normalizeReference(typed: string, suffix: string): string {
  const name = typed.trim();
  if (name === '' || UUID.test(name) || TRANSACTION.test(name)) return name;
  return name.includes('.') ? name.toLowerCase() : `${name.toLowerCase()}.${suffix}`;
}
