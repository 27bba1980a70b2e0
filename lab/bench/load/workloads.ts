import { newSigningKey, signedBody, signingKeyOf } from '../../../server/platform/crypto/signed-request.ts';
import type { SeededConsent, SeededHolder } from '../parties.ts';
import { sampleRecord } from './sample-records.ts';

/** The number of records in one submission: the largest that is accepted (protocol §8). */
export const BATCH = 100;

/** Identities are numbered from 0 in the order of their creation. */
export const domainOf = (index: number): string => `holder-${index}.bsp`;
export const pathOfDomain = (index: number): string => `/api/beos/domain/${domainOf(index)}`;

/** The requests numbered `from` to `from + count - 1`, so that later rounds do not repeat earlier ones. */
type Range = { readonly from: number; readonly count: number };
type GrantConsent = Range & { readonly holders: readonly SeededHolder[]; readonly ieoIds: readonly string[] };
/** Batches, not records. */
type SubmitRecords = Range & { readonly consents: readonly SeededConsent[] };

export type Workload =
  | ({ readonly kind: 'createBEO' } & Range)
  | ({ readonly kind: 'grantConsent' } & GrantConsent)
  | ({ readonly kind: 'submitRecords' } & SubmitRecords)
  /** The paths are used in turn. */
  | { readonly kind: 'get'; readonly paths: readonly string[]; readonly count: number };

export interface PreparedRequests {
  /** Whole HTTP requests, sent once each in this order. */
  readonly requests: readonly Buffer[];
  /** The status that every response must have. */
  readonly expectedStatus: number;
}

/** Prepares and signs the requests of a workload before the measured interval. */
export function prepareRequests(workload: Workload): PreparedRequests {
  const request = requestOf(workload);
  const [from, expectedStatus] = workload.kind === 'get' ? [0, 200] : [workload.from, 201];
  return { requests: Array.from({ length: workload.count }, (_, index) => request(from + index)), expectedStatus };
}

function requestOf(workload: Workload): (index: number) => Buffer {
  switch (workload.kind) {
    case 'createBEO':
      return createBEO;
    case 'grantConsent':
      return grantConsent(workload);
    case 'submitRecords':
      return submitRecords(workload);
    case 'get':
      return (index) => getRequest(inTurn(workload.paths, index));
  }
}

function createBEO(index: number): Buffer {
  const { privateKey, publicKey } = newSigningKey();
  const fields = { domain: domainOf(index), publicKey, recovery: null };
  return postRequest('/api/relayer/beo', signedBody('createBEO', fields, privateKey));
}

/** The holders take turns, and no two consents have the same scope. */
function grantConsent({ holders, ieoIds }: GrantConsent) {
  const keyOf = keysOf(holders);
  return (index: number): Buffer => {
    const holder = inTurn(holders, index);
    const scope = {
      intents: ['SUBMIT_RECORD', 'ANALYZE_VITALITY'],
      categories: ['BSP-CV', 'BSP-LA'],
      max_records: index + 1,
    };
    const fields = { beoId: holder.beoId, ieoId: inTurn(ieoIds, index), scope, expiresInDays: 365 };
    return postRequest('/api/relayer/consent', signedBody('grantConsent', fields, keyOf(holder)));
  };
}

/** The consents take turns. */
function submitRecords({ consents }: SubmitRecords) {
  const keyOf = keysOf(consents);
  return (batch: number): Buffer => {
    const consent = inTurn(consents, batch);
    const records = Array.from({ length: BATCH }, (_, position) => sampleRecord(batch * BATCH + position));
    const fields = { targetBeo: consent.beoId, consentToken: consent.tokenId, records };
    return postRequest('/api/exchange/records', signedBody('submitRecords', fields, keyOf(consent)));
  };
}

/** Derives the private key of each seed once. */
function keysOf(seeded: readonly { readonly seed: string }[]) {
  const keys = new Map([...new Set(seeded.map(({ seed }) => seed))].map((seed) => [seed, signingKeyOf(seed)]));
  return ({ seed }: { readonly seed: string }) => (keys.get(seed) ?? signingKeyOf(seed)).privateKey;
}

function inTurn<Value>(values: readonly Value[], index: number): Value {
  const value = values[index % values.length];
  if (value === undefined) throw new Error('The workload names no one to act.');
  return value;
}

const CLIENTS = 65_536;
let requests = 0;

/**
 * The client addresses of 10.0.0.0/16 in turn, for X-Forwarded-For. The strictest limit that a load meets is 10 requests a
 * minute for each address (protocol §6), so no request is refused below 10 900 requests a second.
 */
export function nextClientAddress(): string {
  const client = requests++ % CLIENTS;
  return `10.0.${client >> 8}.${client & 255}`;
}

const common = (): string =>
  `Host: localhost\r\nAccept: application/json\r\nX-Forwarded-For: ${nextClientAddress()}\r\n`;

/** The bytes of a keep-alive GET. */
export const getRequest = (path: string): Buffer => Buffer.from(`GET ${path} HTTP/1.1\r\n${common()}\r\n`);

/** The bytes of a keep-alive POST of JSON. */
export function postRequest(path: string, body: string): Buffer {
  const headers = `${common()}Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}`;
  return Buffer.from(`POST ${path} HTTP/1.1\r\n${headers}\r\n\r\n${body}`);
}
