import { type ProtocolError, refusal } from './errors.ts';

const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;
const MAX_LENGTH = 64;
const RESERVED = new Set(['bsp', 'institute', 'registry', 'admin', 'root']);

/** A ledger gave the domain of a destroyed BEO again after this time, until createBEO and createIEO admitted none any more (§2). */
export const DOMAIN_HOLD_MS = 10 * 60_000;

/** Domains are case-insensitive and stored in lower case. Only ASCII letters are folded. */
export const normalDomain = (domain: string): string => domain.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

/** What is wrong with the syntax of a domain under `.suffix`, or null. Reserved words are allowed here. Protocol §2. */
export function domainSyntaxProblem(domain: string, suffix: string): ProtocolError | null {
  const name = normalDomain(domain);
  if (name.length > MAX_LENGTH) return refusal('DOMAIN_INVALID', `A domain has at most ${MAX_LENGTH} characters.`);
  if (!name.endsWith(`.${suffix}`)) return refusal('DOMAIN_INVALID', `A domain ends with .${suffix}.`);
  if (!labels(name, suffix).every((label) => LABEL.test(label))) {
    return refusal(
      'DOMAIN_INVALID',
      'Each part of a domain consists of the letters a to z, digits, and hyphens that are neither first nor last.',
    );
  }
  return null;
}

/** Why a domain cannot be registered, or null. Protocol §2. */
export function domainProblem(domain: string, suffix: string): ProtocolError | null {
  const malformed = domainSyntaxProblem(domain, suffix);
  if (malformed) return malformed;
  const reserved = labels(normalDomain(domain), suffix).find((label) => RESERVED.has(label));
  return reserved
    ? refusal('DOMAIN_RESERVED', `The word "${reserved}" is reserved and cannot be part of a domain.`)
    : null;
}

/** The parent domains of a domain, nearest first; none for a domain of a single label. */
export function parentDomains(domain: string, suffix: string): string[] {
  const parts = labels(domain, suffix);
  return parts.slice(1).map((_, index) => `${parts.slice(index + 1).join('.')}.${suffix}`);
}

const labels = (name: string, suffix: string): string[] => name.slice(0, -(suffix.length + 1)).split('.');
