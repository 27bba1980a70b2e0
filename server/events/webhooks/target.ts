import { type LookupAddress, lookup as systemLookup } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { contactUrlProblem } from '../../../protocol/entities/contacts.ts';
import { parseUrl } from '../../../protocol/parse-url.ts';

/** What requests to webhooks may reach. */
export interface TargetRules {
  readonly ports: readonly number[];
  /** Whether private addresses may be reached too. Dangerous: see docs/operations.md. */
  readonly privateAddresses: boolean;
}

export type TargetProblem = 'URL_NOT_ALLOWED' | 'PORT_NOT_ALLOWED' | 'NO_PUBLIC_ADDRESS';

export class TargetRefused extends Error {
  readonly problem: TargetProblem;
  constructor(problem: TargetProblem) {
    super(problem);
    this.problem = problem;
  }
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

/** @throws {TargetRefused} if no request may be sent to the URL, whatever its host resolves to */
export function checkUrl(text: string, rules: TargetRules): URL {
  const url = parseUrl(text);
  if (url?.protocol !== 'https:') throw new TargetRefused('URL_NOT_ALLOWED');
  if (!rules.privateAddresses && contactUrlProblem(text) !== null) throw new TargetRefused('URL_NOT_ALLOWED');
  if (!rules.ports.includes(Number(url.port || 443))) throw new TargetRefused('PORT_NOT_ALLOWED');
  return url;
}

/**
 * The addresses of a host that may be connected to. An address in place of a name is checked like a resolved one.
 * @param hostname as the URL parser writes it: IPv6 in brackets
 * @throws {TargetRefused} if there are none
 */
export async function checkedAddresses(
  hostname: string,
  rules: TargetRules,
  resolve: Resolve,
): Promise<LookupAddress[]> {
  const literal = hostname.replace(/^\[(.*)\]$/, '$1');
  const resolved = isIP(literal) === 0 ? await resolve(hostname) : [literal];
  const allowed = rules.privateAddresses ? resolved : resolved.flatMap((address) => publicAddress(address) ?? []);
  // One problem for unknown and private names: an institution must not learn which names the operator's network has.
  if (allowed.length === 0) throw new TargetRefused('NO_PUBLIC_ADDRESS');
  return allowed.map((address) => ({ address, family: isIP(address) }));
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
