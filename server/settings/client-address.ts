import { isIP, isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';

type Connection = {
  /** The peer of the socket; undefined once the socket is closed, and for a Unix socket. */
  socketAddress: string | undefined;
  /** The X-Forwarded-For header, several joined with commas. */
  forwardedFor: string | undefined;
  /** How many proxies are in front of this process (TRUST_PROXY). Each appends the address of its peer. */
  trustProxy: number;
};

const UNKNOWN = 'unknown';

/**
 * The address of the client as the outermost trusted proxy reports it: dotted IPv4 or RFC 5952 IPv6 without zone. Only
 * the `trustProxy` rightmost entries of X-Forwarded-For count, because a client can write everything to their left. If
 * such an entry is missing or invalid, the result is the hop that should have written it, or `unknown`.
 */
export function clientAddress({ socketAddress, forwardedFor, trustProxy }: Connection): string {
  let address: string | null = null;
  let end = forwardedFor?.length ?? -1;
  for (let hop = 0; forwardedFor && hop < trustProxy && end >= 0; hop++) {
    const comma = forwardedFor.lastIndexOf(',', end - 1);
    const entry = normalise(withoutPort(forwardedFor.slice(comma + 1, end).trim()));
    if (!entry) break;
    address = entry;
    end = comma;
  }
  return address ?? normalise(socketAddress ?? '') ?? UNKNOWN;
}

/**
 * The limiter's subject for a client address: an IPv4 address, the /64 of an IPv6 address (`2001:db8:0:1::/64`), or
 * `unknown`.
 */
export function limitSubject(address: string): string {
  if (isIPv4(address)) return address;
  const parsed = parse(address);
  if (!parsed) return UNKNOWN;
  return parsed instanceof ipaddr.IPv6 ? `${hex(parsed.parts.slice(0, 4))}::/64` : parsed.toString();
}

/** How much of the allowance of its /64 the networks of `limitNetworks` have, in that order. Protocol §6. */
export const NETWORK_FACTORS = [1, 4, 16] as const;

/**
 * The networks in which a client address is counted: for IPv6 its /64, /56 and /48, because one party can have all of them;
 * else null: only `limitSubject`.
 */
export function limitNetworks(address: string): readonly [string, string, string] | null {
  if (!address.includes(':')) return null;
  const parsed = parse(address);
  if (!(parsed instanceof ipaddr.IPv6)) return null;
  const [a = 0, b = 0, c = 0, d = 0] = parsed.parts;
  const site = hex([a, b, c]);
  return [`${hex([a, b, c, d])}::/64`, `${site}:${(d & 0xff00).toString(16)}::/56`, `${site}::/48`];
}

/** The names under which a client address is counted; `NETWORK_FACTORS` has the allowance of each. */
export const limitNames = (address: string): readonly string[] => limitNetworks(address) ?? [limitSubject(address)];

/**
 * The network of an address by prefix length in bits: `203.0.113.0/24`, `2001:db8:1::/48`; `unknown` for an invalid
 * address. Counting networks stops one party with many addresses.
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

/** Whether an address, in any textual form, belongs to the loopback interface. */
export const isLoopback = (address: string): boolean => parse(address)?.range() === 'loopback';

const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/;

function normalise(address: string): string | null {
  const dotted = MAPPED.exec(address)?.[1] ?? address;
  if (isIPv4(dotted)) return dotted;
  const parsed = parse(address);
  if (!parsed) return null;
  return parsed instanceof ipaddr.IPv6 ? parsed.toRFC5952String() : parsed.toString();
}

/** ipaddr.js alone also accepts forms such as `0x7f.1`, which give one address many spellings. */
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
