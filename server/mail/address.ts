import { z } from 'zod';

/** One plain mailbox: ASCII, no quotes, comments, groups or lists. RFC 5321 §4.5.3.1 bounds its length. */
const address = z
  .email()
  .max(254)
  .refine((text) => text.lastIndexOf('@') <= 64);

/** The e-mail address that a guardian's contact is, or null where it is anything else: a telephone number, two addresses. */
export function emailAddress(contact: string): string | null {
  const parsed = address.safeParse(contact.trim());
  return parsed.success ? parsed.data : null;
}

export interface Mailbox {
  /** Empty where none was given. */
  readonly name: string;
  readonly address: string;
}

const NAMED = /^"?([\p{L}\p{M}\p{N} .'’&-]{1,60}?)"? *<([^<>]+)>$/u;

/** `address@example.org` or `Name <address@example.org>`; null for anything else. */
export function readMailbox(text: string): Mailbox | null {
  const [, name = '', inner = text] = NAMED.exec(text) ?? [];
  const parsed = address.safeParse(inner);
  return parsed.success ? { name: name.trim(), address: parsed.data } : null;
}

const LONGEST_NAME = 50;
const NAME = /^[\p{L}\p{M}]+(?:(?:\.? |['’-]|\.$)[\p{L}\p{M}]*)*$/u;

/**
 * A name as a mail may greet with it, or null. Whoever invites has chosen it, and could have written a message to a stranger
 * there, with a link a mail client would make one: only what looks like a name passes, no digits, no dot inside a word.
 */
export function greetableName(name: string): string | null {
  const tidy = name.normalize('NFC').trim().replace(/ +/g, ' ');
  return tidy.length <= LONGEST_NAME && NAME.test(tidy) ? tidy : null;
}
