import { mailAddress as address } from '../../protocol/mail-address.ts';

/** The e-mail address in a guardian's contact; null for anything else, such as a telephone number or two addresses. */
export function emailAddress(contact: string): string | null {
  const parsed = address.safeParse(contact.trim());
  return parsed.success ? parsed.data : null;
}

export interface Mailbox {
  /** Empty if none was given. */
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
