const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const TRANSACTION = /^[\w-]{43}$/;

/**
 * Normalizes a typed reference: ids of identities and transactions stay; a domain is put in lower case, with the suffix added
 * where it is missing. It does not check whether the reference exists.
 */
export function normalizeReference(typed: string, suffix: string): string {
  const name = typed.trim();
  if (name === '' || UUID.test(name) || TRANSACTION.test(name)) return name;
  return name.includes('.') ? name.toLowerCase() : `${name.toLowerCase()}.${suffix}`;
}
