import { createHmac } from 'node:crypto';
import { networkOf } from '../../settings/client-address.ts';

/**
 * Keyed hashes of the address that requested a recovery. They differ by identity, and the address cannot be read from
 * them.
 */
export interface Requester {
  /** Of the client's IPv4 /24 or IPv6 /48: the range that one party can easily control. */
  readonly requester: Buffer;
  /** Of the surrounding IPv4 /16 or IPv6 /32: the range of one provider. */
  readonly network: Buffer;
}

export type Requesters = (beoId: string, address: string) => Requester;

const DIGEST_BYTES = 16;
const REQUESTER_BITS = { ipv4: 24, ipv6: 48 };
const NETWORK_BITS = { ipv4: 16, ipv6: 32 };

/** @param key a secret shared by all processes of the service */
export function createRequesters(key: Uint8Array): Requesters {
  const digest = (beoId: string, network: string): Buffer =>
    createHmac('sha256', key).update(`${beoId} ${network}`).digest().subarray(0, DIGEST_BYTES);
  return (beoId, address) => ({
    requester: digest(beoId, networkOf(address, REQUESTER_BITS)),
    network: digest(beoId, networkOf(address, NETWORK_BITS)),
  });
}
