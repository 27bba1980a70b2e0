import { folded } from '../../protocol/folded-text.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const TRANSACTION = /^[\w-]{43}$/;
const CONSENT = /^tok_[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether a typed text has the form of an id, which has one page only. */
export const isId = (typed: string): boolean => [UUID, TRANSACTION, CONSENT].some((form) => form.test(typed.trim()));

/**
 * Normalizes a typed reference: ids of identities and transactions stay; a domain is put in lower case, with the suffix added
 * where it is missing. It does not check whether the reference exists.
 */
export function normalizeReference(typed: string, suffix: string): string {
  const name = typed.trim();
  if (name === '' || UUID.test(name) || TRANSACTION.test(name)) return name;
  return name.includes('.') ? name.toLowerCase() : `${name.toLowerCase()}.${suffix}`;
}

/** The domain that a name with spaces, accents or signs may mean: `Hospital São Vítor` → `hospital-sao-vitor.bsp`. */
export function suggestedDomain(typed: string, suffix: string): string | null {
  const label = folded(typed)
    .replace(new RegExp(`\\.${suffix}\\s*$`), '')
    .replace(/[^\p{L}\p{N}]+/gu, '-');
  const name = label.replace(/^-+|-+$/g, '');
  const domain = `${name}.${suffix}`;
  return /^[a-z0-9-]+$/.test(name) && domain.length <= 64 && domain !== typed.trim() ? domain : null;
}
