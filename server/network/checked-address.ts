import { type LookupAddress, lookup as systemLookup } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { parseUrl } from '../../protocol/parse-url.ts';

/** Which addresses a request to a URL of another party may reach. */
export interface AddressRules {
  /** Whether private addresses may be reached too. */
  readonly privateAddresses: boolean;
  readonly resolve: Resolve;
}

/** A host has no address that may be reached. */
export class NoPublicAddress extends Error {
  override readonly name = 'NoPublicAddress';
  readonly problem = 'NO_PUBLIC_ADDRESS';
}

/** The addresses of a host name, IPv4 and IPv6. @throws if it has none */
export type Resolve = (hostname: string) => Promise<readonly string[]>;

const GLOBAL_UNICAST = ipaddr.IPv6.parse('2000::');
/** Azure's virtual host, reachable from every machine there, in a public range. */
const NOT_PUBLIC = new Set(['168.63.129.16']);

/**
 * The address to connect to, in its usual form and with IPv4-mapped addresses as IPv4; null if `text` is not the
 * address of a public host. RFC 6890, RFC 4291 §2.4.
 */
export function publicAddress(text: string): string | null {
  const address = parseAddress(text);
  if (address?.range() !== 'unicast' || NOT_PUBLIC.has(address.toString())) return null;
  // Only 2000::/3 is global unicast; range() misses some special addresses outside it.
  if (address instanceof ipaddr.IPv6 && !address.match(GLOBAL_UNICAST, 3)) return null;
  return address.toString();
}

function parseAddress(text: string) {
  if (isIP(text) === 4) return ipaddr.IPv4.parse(text);
  const url = parseUrl(`https://[${text}]/`);
  if (!url) return null;
  // ipaddr.js reads ::127.0.0.1 as IPv4-mapped. The URL parser writes IPv6 without dots.
  const address = ipaddr.IPv6.parse(url.hostname.slice(1, -1));
  return address.isIPv4MappedAddress() ? address.toIPv4Address() : address;
}

/**
 * The addresses of a host that may be connected to. An address in place of a name is checked like a resolved one.
 * @param hostname as the URL parser writes it: IPv6 in brackets
 * @throws {NoPublicAddress} if there are none
 */
export async function checkedAddresses(
  hostname: string,
  { privateAddresses, resolve }: AddressRules,
): Promise<LookupAddress[]> {
  const resolved = await addressesOf(hostname, resolve);
  const allowed = privateAddresses ? resolved : resolved.flatMap((address) => publicAddress(address) ?? []);
  // One problem for unknown and private names: another party must not learn which names the operator's network has.
  if (allowed.length === 0) throw new NoPublicAddress(`${hostname} has no public address`);
  return allowed.map((address) => ({ address, family: isIP(address) }));
}

async function addressesOf(hostname: string, resolve: Resolve): Promise<readonly string[]> {
  const literal = hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(literal) === 0 ? resolve(hostname) : [literal];
}

/** Whether a host has a private address, as other programs of this machine resolve it. */
export async function isPrivateHost(hostname: string): Promise<boolean> {
  const addresses = await addressesOf(hostname, resolveLikeSystem);
  return addresses.some((address) => publicAddress(address) === null);
}

/**
 * Options of a request of node:http or node:https to a URL of another party. The connection is made to an address that was
 * checked, so that a name server cannot exchange it in between. The caller must follow no redirect.
 * @throws {NoPublicAddress} if the URL has an address in place of a name that may not be reached
 */
export async function checkedConnection(
  { hostname }: URL,
  rules: AddressRules,
): Promise<{ readonly lookup: LookupFunction }> {
  // Node resolves no address in place of a name, so it would not be checked in `lookup`.
  if (hostname.startsWith('[') || /^[\d.]+$/.test(hostname)) await checkedAddresses(hostname, rules);
  return {
    lookup: (name, options, callback) => {
      checkedAddresses(name, rules).then(
        (addresses) => {
          const [first] = addresses;
          if (options.all) callback(null, addresses);
          else callback(null, first?.address ?? '', first?.family);
        },
        (error) => callback(error, ''),
      );
    },
  };
}

const DNS_TIMEOUT_MS = 2_500;
const DNS_TRIES = 2;

/**
 * Asks the name servers of the machine, or `servers`, without its hosts file and its search domains. It blocks none of
 * the few threads of getaddrinfo, which names with unresponsive servers would otherwise occupy.
 */
export function createResolve(servers?: readonly string[]): Resolve {
  const resolver = new Resolver({ timeout: DNS_TIMEOUT_MS, tries: DNS_TRIES });
  if (servers) resolver.setServers(servers);
  return async (hostname) => {
    const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  };
}

/**
 * As other programs of this machine resolve names, with its hosts file. Names under test, which exist nowhere else
 * (RFC 6761 §6.2), are this machine.
 */
export const resolveLikeSystem: Resolve = (hostname) =>
  new Promise((resolve) => {
    if (hostname.endsWith('.test')) return resolve(['127.0.0.1']);
    systemLookup(hostname, { all: true }, (error, addresses) =>
      resolve(error ? [] : addresses.map(({ address }) => address)),
    );
  });
