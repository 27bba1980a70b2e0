import ipaddr from 'ipaddr.js';
import { parseUrl } from '../parse-url.ts';

const GLOBAL_UNICAST = ipaddr.IPv6.parse('2000::');

/** Why a URL cannot be a contact of an institution, as phrases that follow the field's name. */
export const CONTACT_PROBLEMS = {
  tooLong: 'must have at most 500 characters',
  characters: 'must not contain white space, control characters or a backslash',
  notHttps: 'must begin with https://',
  credentials: 'must not contain credentials',
  url: 'must be a URL',
  local: 'must not be an address of the local machine',
  private: 'must not be a private or reserved address',
} as const;
export type ContactProblem = keyof typeof CONTACT_PROBLEMS;

/**
 * Why a URL cannot be a contact of an institution; null if it can.
 * Host names are accepted here: the address they resolve to is checked at delivery. Protocol §1.
 */
export function contactUrlProblem(text: string): ContactProblem | null {
  if (text.length > 500) return 'tooLong';
  // The parser drops tabs and newlines, ignores invisible characters in the host and reads a backslash as a slash.
  if (/[\s\\\p{Cc}\p{Cf}\p{Cs}]/u.test(text)) return 'characters';
  if (!/^https:\/\/[^/]/i.test(text)) return 'notHttps';
  if (/^https:\/\/[^/?#]*@/i.test(text)) return 'credentials';
  const url = parseUrl(text);
  if (!url) return 'url';
  const { hostname } = url;
  if (/^\.|\.\./.test(hostname)) return 'url';
  if (/(^|\.)localhost\.?$/.test(hostname)) return 'local';
  return isPrivateAddress(hostname) ? 'private' : null;
}

/** `hostname` as the WHATWG URL parser writes it: IPv4 always as four decimal numbers, IPv6 in brackets. */
function isPrivateAddress(hostname: string): boolean {
  if (ipaddr.IPv4.isValidFourPartDecimal(hostname)) return ipaddr.IPv4.parse(hostname).range() !== 'unicast';
  if (!hostname.startsWith('[')) return false;
  const address = ipaddr.IPv6.parse(hostname.slice(1, -1));
  // Only 2000::/3 is global unicast. range() misses some special addresses outside it, like ::127.0.0.1 (RFC 4291 §2.4, §2.5.5.1).
  return !address.match(GLOBAL_UNICAST, 3) || address.range() !== 'unicast';
}
