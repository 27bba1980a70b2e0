import { isIP, isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';

type Connection = {
  /** The peer of the socket; undefined when it has already gone, or is a Unix socket. */
  socketAddress: string | undefined;
  /** The X-Forwarded-For header, several joined with commas. */
  forwardedFor: string | undefined;
  /** How many proxies stand before this process, each appending the address that spoke to it (TRUST_PROXY). */
  trustProxy: number;
};

const UNKNOWN = 'unknown';

/**
 * The address of the client, as the outermost trusted proxy saw it: dotted IPv4, or RFC 5952 IPv6 without zone; an
 * IPv4-mapped IPv6 address is the IPv4 address. Only the `trustProxy` rightmost entries of X-Forwarded-For count, for
 * whatever stands left of them the client could have written itself. Where such an entry is missing or is no address,
 * the answer is the hop that should have written it; without any address it is `unknown`, one subject for all such clients.
 */
export function clientAddress({ socketAddress, forwardedFor, trustProxy }: Connection): string {
  let address = normalise(socketAddress ?? '') ?? UNKNOWN;
  if (!forwardedFor) return address;
  let end = forwardedFor.length;
  for (let hop = 0; hop < trustProxy && end >= 0; hop++) {
    const comma = forwardedFor.lastIndexOf(',', end - 1);
    const entry = normalise(withoutPort(forwardedFor.slice(comma + 1, end).trim()));
    if (!entry) return address;
    address = entry;
    end = comma;
  }
  return address;
}

/** What a client address is counted as: an IPv4 address itself, IPv6 by its /64 (`2001:db8:0:1::/64`), else `unknown`. */
export function limitSubject(address: string): string {
  if (isIPv4(address)) return address;
  const parsed = parse(address);
  if (!parsed) return UNKNOWN;
  return parsed instanceof ipaddr.IPv6 ? `${hex(parsed.parts.slice(0, 4))}::/64` : parsed.toString();
}

/**
 * The network that an address belongs to, by the length of its prefix in bits: `203.0.113.0/24`, `2001:db8:1::/48`; `unknown` for
 * what is no address. What one party usually has many addresses of is counted by it.
 */
export function networkOf(address: string, { ipv4, ipv6 }: { ipv4: number; ipv6: number }): string {
  const parsed = parse(address);
  if (!parsed) return UNKNOWN;
  const bits = parsed instanceof ipaddr.IPv6 ? ipv6 : ipv4;
  const network = (parsed instanceof ipaddr.IPv6 ? ipaddr.IPv6 : ipaddr.IPv4).networkAddressFromCIDR(
    `${parsed.toNormalizedString()}/${bits}`,
  );
  return `${network.toString()}/${bits}`;
}

/** Whether an address, in any textual form, is of this machine's loopback interface. */
export const isLoopback = (address: string): boolean => parse(address)?.range() === 'loopback';

const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/;

function normalise(address: string): string | null {
  const dotted = MAPPED.exec(address)?.[1] ?? address;
  if (isIPv4(dotted)) return dotted;
  const parsed = parse(address);
  if (!parsed) return null;
  return parsed instanceof ipaddr.IPv6 ? parsed.toRFC5952String() : parsed.toString();
}

/** ipaddr.js alone would also take `0x7f.1` and the like, of which one address has many spellings. */
function parse(address: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  if (isIP(address) === 0) return null;
  const zone = address.indexOf('%');
  return ipaddr.process(zone < 0 ? address : address.slice(0, zone));
}

function withoutPort(entry: string): string {
  const bracket = entry.indexOf(']');
  if (entry.startsWith('[') && bracket > 0) return entry.slice(1, bracket);
  const colon = entry.indexOf(':');
  return colon >= 0 && colon === entry.lastIndexOf(':') ? entry.slice(0, colon) : entry;
}

function hex(parts: number[]): string {
  return parts.map((part) => part.toString(16)).join(':');
}
