import { createHmac } from 'node:crypto';
import { networkOf } from '../client-address.ts';

/** Who asked for a recovery, by keyed hashes that differ from identity to identity: no address can be read from them. */
export interface Requester {
  /** Of the IPv4 /24 or IPv6 /48 of the client address: what one party easily has. */
  readonly requester: Buffer;
  /** Of the IPv4 /16 or IPv6 /32 around it: what one provider has. */
  readonly network: Buffer;
}

export type Requesters = (beoId: string, address: string) => Requester;

const DIGEST_BYTES = 16;
const REQUESTER_BITS = { ipv4: 24, ipv6: 48 };
const NETWORK_BITS = { ipv4: 16, ipv6: 32 };

/** @param key a secret that all processes of the service have */
export function createRequesters(key: Uint8Array): Requesters {
  const digest = (beoId: string, network: string): Buffer =>
    createHmac('sha256', key).update(`${beoId} ${network}`).digest().subarray(0, DIGEST_BYTES);
  return (beoId, address) => ({
    requester: digest(beoId, networkOf(address, REQUESTER_BITS)),
    network: digest(beoId, networkOf(address, NETWORK_BITS)),
  });
}
