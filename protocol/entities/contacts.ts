import ipaddr from 'ipaddr.js';
import { parseUrl } from '../parse-url.ts';

const GLOBAL_UNICAST = ipaddr.IPv6.parse('2000::');

/**
 * Why a URL cannot be a contact of an institution, as a phrase that follows the field's name; null if it can.
 * Host names are accepted here: the address they resolve to is checked at delivery. Protocol §1.
 */
export function contactUrlProblem(text: string): string | null {
  if (text.length > 500) return 'must have at most 500 characters';
  // The parser drops tabs and newlines, ignores invisible characters in the host and reads a backslash as a slash.
  if (/[\s\\\p{Cc}\p{Cf}\p{Cs}]/u.test(text)) return 'must not contain white space, control characters or a backslash';
  if (!/^https:\/\/[^/]/i.test(text)) return 'must begin with https://';
  if (/^https:\/\/[^/?#]*@/i.test(text)) return 'must not contain credentials';
  const url = parseUrl(text);
  if (!url) return 'must be a URL';
  const { hostname } = url;
  if (/^\.|\.\./.test(hostname)) return 'must be a URL';
  if (/(^|\.)localhost\.?$/.test(hostname)) return 'must not be an address of the local machine';
  return isPrivateAddress(hostname) ? 'must not be a private or reserved address' : null;
}

/** `hostname` as the WHATWG URL parser writes it: IPv4 always as four decimal numbers, IPv6 in brackets. */
function isPrivateAddress(hostname: string): boolean {
  if (ipaddr.IPv4.isValidFourPartDecimal(hostname)) return ipaddr.IPv4.parse(hostname).range() !== 'unicast';
  if (!hostname.startsWith('[')) return false;
  const address = ipaddr.IPv6.parse(hostname.slice(1, -1));
  // Only 2000::/3 is global unicast. range() misses some special addresses outside it, like ::127.0.0.1 (RFC 4291 §2.4, §2.5.5.1).
  return !address.match(GLOBAL_UNICAST, 3) || address.range() !== 'unicast';
}
