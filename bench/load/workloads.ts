import { IEO_TYPES } from '../../protocol/entities/ieo.ts';
import { newSigningKey, signedBody, signedFields, signingKeyOf } from '../../server/crypto/signed-request.ts';
import { deleteRequest, getRequest, postRequest } from './http-request.ts';
import { sampleRecord } from './sample-records.ts';

/** The identities of a bench are numbered from 0 in the order they are created; the number is in the domain. */
export const domainOf = (index: number): string => `holder-${index}.bsp`;

/** A holder whose key the load generator can make again. */
export interface SeededHolder {
  /** 32 bytes in hex. */
  readonly seed: string;
  readonly beoId: string;
}

/** An institution whose key the load generator can make again. */
export interface SeededInstitution {
  /** 32 bytes in hex. */
  readonly seed: string;
  readonly ieoId: string;
}

/** A consent, with the seed of the institution that may use it. */
export interface SeededConsent extends SeededInstitution {
  readonly tokenId: string;
  readonly beoId: string;
}

/** Records of a whole batch, the most that is taken at once. Protocol §8. */
export const BATCH = 100;

export type Workload =
  | { readonly kind: 'createBEO'; readonly from: number; readonly count: number }
  | { readonly kind: 'readByDomain'; readonly population: number; readonly count: number }
  | { readonly kind: 'createIEO'; readonly from: number; readonly count: number }
  | {
      readonly kind: 'grantConsent';
      readonly holders: readonly SeededHolder[];
      readonly ieoIds: readonly string[];
      readonly from: number;
      readonly count: number;
    }
  | { readonly kind: 'revokeToken'; readonly tokens: readonly { readonly tokenId: string; readonly seed: string }[] }
  | {
      readonly kind: 'submitRecords';
      readonly consents: readonly SeededConsent[];
      /** Batches, not records. */
      readonly from: number;
      readonly count: number;
    }
  | {
      readonly kind: 'readRecords';
      readonly consent: SeededConsent;
      /** Unsigned parameters, one of them for each request in turn: `limit=100&categories=BSP-HM`. */
      readonly filters: readonly string[];
      readonly count: number;
    }
  | { readonly kind: 'get'; readonly paths: readonly string[]; readonly count: number };

export interface PreparedRequests {
  readonly requests: readonly Buffer[];
  readonly expectedStatus: number;
}

/** Prepares the requests of a workload, signed where they must be; a new kind of load is one more function here. */
export function prepareRequests(workload: Workload): PreparedRequests {
  switch (workload.kind) {
    case 'createBEO':
      return createBEO(workload);
    case 'readByDomain':
      return readByDomain(workload);
    case 'createIEO':
      return createIEO(workload);
    case 'grantConsent':
      return grantConsent(workload);
    case 'revokeToken':
      return revokeToken(workload);
    case 'submitRecords':
      return submitRecords(workload);
    case 'readRecords':
      return readRecords(workload);
    case 'get':
      return get(workload);
  }
}

function createIEO({ from, count }: { from: number; count: number }): PreparedRequests {
  const requests = Array.from({ length: count }, (_, index) => {
    const { privateKey, publicKey } = newSigningKey();
    const place = from + index;
    const fields = {
      domain: `institution-${place}.bsp`,
      ieoType: IEO_TYPES[place % IEO_TYPES.length] ?? '',
      displayName: `Institution ${place}`,
      publicKey,
    };
    return postRequest('/api/ieo', signedBody('createIEO', fields, privateKey));
  });
  return { requests, expectedStatus: 201 };
}

/** Each for another holder than the one before, and no two with the same scope. */
function grantConsent({
  holders,
  ieoIds,
  from,
  count,
}: {
  holders: readonly SeededHolder[];
  ieoIds: readonly string[];
  from: number;
  count: number;
}): PreparedRequests {
  const keys = holders.map(({ seed }) => signingKeyOf(seed).privateKey);
  const requests = Array.from({ length: count }, (_, index) => {
    const place = from + index;
    const who = place % holders.length;
    const [holder, key] = [holders[who], keys[who]];
    if (!holder || !key) throw new Error('There is nobody who could grant.');
    const fields = {
      beoId: holder.beoId,
      ieoId: ieoIds[place % ieoIds.length] ?? '',
      scope: {
        intents: ['SUBMIT_RECORD', 'ANALYZE_VITALITY'],
        categories: ['BSP-CV', 'BSP-LA'],
        max_records: place + 1,
      },
      expiresInDays: 365,
    };
    return postRequest('/api/relayer/consent', signedBody('grantConsent', fields, key));
  });
  return { requests, expectedStatus: 201 };
}

function revokeToken({ tokens }: { tokens: readonly { tokenId: string; seed: string }[] }): PreparedRequests {
  const keys = keysOf(tokens);
  const requests = tokens.map(({ tokenId, seed }) => {
    const key = keys.get(seed);
    if (!key) throw new Error('There is nobody who could revoke.');
    return deleteRequest(`/api/consent/${tokenId}`, signedBody('revokeToken', { tokenId }, key));
  });
  return { requests, expectedStatus: 200 };
}

/** Each for another person, or by another institution, than the one before. */
function submitRecords({
  consents,
  from,
  count,
}: {
  consents: readonly SeededConsent[];
  from: number;
  count: number;
}): PreparedRequests {
  const keys = keysOf(consents);
  const requests = Array.from({ length: count }, (_, index) => {
    const batch = from + index;
    const consent = consents[batch % consents.length];
    const key = consent && keys.get(consent.seed);
    if (!key) throw new Error('There is nobody who could submit.');
    const fields = {
      targetBeo: consent.beoId,
      consentToken: consent.tokenId,
      records: Array.from({ length: BATCH }, (_, position) => sampleRecord(batch * BATCH + position)),
    };
    return postRequest('/api/exchange/records', signedBody('submitRecords', fields, key));
  });
  return { requests, expectedStatus: 201 };
}

/** Every one signed: a nonce is good for one request. */
function readRecords({
  consent,
  filters,
  count,
}: {
  consent: SeededConsent;
  filters: readonly string[];
  count: number;
}): PreparedRequests {
  const requests = Array.from({ length: count }, (_, index) =>
    getRequest(readPath(consent, filters[index % filters.length] ?? '')),
  );
  return { requests, expectedStatus: 200 };
}

/** A signed GET of records; `filters` are unsigned parameters. */
export function readPath({ beoId, tokenId, seed }: SeededConsent, filters: string): string {
  const signed = signedFields(
    'readRecords',
    { targetBeo: beoId, consentToken: tokenId },
    signingKeyOf(seed).privateKey,
  );
  return `/api/exchange/records?${new URLSearchParams(signed)}&${filters}`;
}

const keysOf = (seeded: readonly { readonly seed: string }[]) =>
  new Map([...new Set(seeded.map(({ seed }) => seed))].map((seed) => [seed, signingKeyOf(seed).privateKey]));

function get({ paths, count }: { paths: readonly string[]; count: number }): PreparedRequests {
  const requests = Array.from({ length: count }, (_, index) => getRequest(paths[index % paths.length] ?? '/'));
  return { requests, expectedStatus: 200 };
}

function createBEO({ from, count }: { from: number; count: number }): PreparedRequests {
  const requests = Array.from({ length: count }, (_, index) => {
    const { privateKey, publicKey } = newSigningKey();
    const fields = { domain: domainOf(from + index), publicKey, recovery: null };
    return postRequest('/api/relayer/beo', signedBody('createBEO', fields, privateKey));
  });
  return { requests, expectedStatus: 201 };
}

/** Every identity of the population is as likely as any other, so that nothing but memory for all of them helps. */
function readByDomain({ population, count }: { population: number; count: number }): PreparedRequests {
  const requests = Array.from({ length: count }, () =>
    getRequest(`/api/beos/domain/${domainOf(Math.floor(Math.random() * population))}`),
  );
  return { requests, expectedStatus: 200 };
}
