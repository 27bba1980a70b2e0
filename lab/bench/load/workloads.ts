import { IEO_TYPES } from '../../../protocol/entities/ieo.ts';
import {
  newSigningKey,
  signedBody,
  signedFields,
  signingKeyOf,
} from '../../../server/platform/crypto/signed-request.ts';
import { deleteRequest, getRequest, postRequest } from './http-request.ts';
import { sampleRecord } from './sample-records.ts';

/** A holder whose key the load generator can derive again. */
export interface SeededHolder {
  /** 32 bytes in hex. */
  readonly seed: string;
  readonly beoId: string;
}

/** An institution whose key the load generator can derive again. */
export interface SeededInstitution {
  /** 32 bytes in hex. */
  readonly seed: string;
  readonly ieoId: string;
}

/** A consent, with the seed of its grantee. */
export interface SeededConsent extends SeededInstitution {
  readonly tokenId: string;
  readonly beoId: string;
}

/** The number of records in one submission: the largest that is accepted (protocol §8). */
export const BATCH = 100;

/** Identities are numbered from 0 in the order of their creation. */
export const domainOf = (index: number): string => `holder-${index}.bsp`;

/** The requests numbered `from` to `from + count - 1`, so that later rounds do not repeat earlier ones. */
interface Range {
  readonly from: number;
  readonly count: number;
}

interface ReadByDomain {
  readonly population: number;
  readonly count: number;
}

interface GrantConsent extends Range {
  readonly holders: readonly SeededHolder[];
  readonly ieoIds: readonly string[];
}

interface RevokeToken {
  readonly tokens: readonly { readonly tokenId: string; readonly seed: string }[];
}

/** `from` and `count` are batches, not records. */
interface SubmitRecords extends Range {
  readonly consents: readonly SeededConsent[];
}

interface ReadRecords {
  readonly consent: SeededConsent;
  /** Unsigned parameters such as `limit=100&categories=BSP-HM`, used in turn. */
  readonly filters: readonly string[];
  readonly count: number;
}

interface Get {
  /** Used in turn. */
  readonly paths: readonly string[];
  readonly count: number;
}

export type Workload =
  | ({ readonly kind: 'createBEO' } & Range)
  | ({ readonly kind: 'createIEO' } & Range)
  | ({ readonly kind: 'readByDomain' } & ReadByDomain)
  | ({ readonly kind: 'grantConsent' } & GrantConsent)
  | ({ readonly kind: 'revokeToken' } & RevokeToken)
  | ({ readonly kind: 'submitRecords' } & SubmitRecords)
  | ({ readonly kind: 'readRecords' } & ReadRecords)
  | ({ readonly kind: 'get' } & Get);

export interface PreparedRequests {
  readonly requests: readonly Buffer[];
  readonly expectedStatus: number;
}

/** Prepares and signs the requests of a workload before the measured interval. */
export function prepareRequests(workload: Workload): PreparedRequests {
  switch (workload.kind) {
    case 'createBEO':
      return { requests: createBEO(workload), expectedStatus: 201 };
    case 'createIEO':
      return { requests: createIEO(workload), expectedStatus: 201 };
    case 'readByDomain':
      return { requests: readByDomain(workload), expectedStatus: 200 };
    case 'grantConsent':
      return { requests: grantConsent(workload), expectedStatus: 201 };
    case 'revokeToken':
      return { requests: revokeToken(workload), expectedStatus: 200 };
    case 'submitRecords':
      return { requests: submitRecords(workload), expectedStatus: 201 };
    case 'readRecords':
      return { requests: readRecords(workload), expectedStatus: 200 };
    case 'get':
      return { requests: get(workload), expectedStatus: 200 };
  }
}

function numbered({ from, count }: Range, request: (index: number) => Buffer): Buffer[] {
  return Array.from({ length: count }, (_, index) => request(from + index));
}

function createBEO(range: Range): Buffer[] {
  return numbered(range, (index) => {
    const { privateKey, publicKey } = newSigningKey();
    const fields = { domain: domainOf(index), publicKey, recovery: null };
    return postRequest('/api/relayer/beo', signedBody('createBEO', fields, privateKey));
  });
}

function createIEO(range: Range): Buffer[] {
  return numbered(range, (index) => {
    const { privateKey, publicKey } = newSigningKey();
    const fields = {
      domain: `institution-${index}.bsp`,
      ieoType: IEO_TYPES[index % IEO_TYPES.length] ?? '',
      displayName: `Institution ${index}`,
      publicKey,
    };
    return postRequest('/api/ieo', signedBody('createIEO', fields, privateKey));
  });
}

/** Identities are chosen at random, so that no cache smaller than the population helps. */
function readByDomain({ population, count }: ReadByDomain): Buffer[] {
  return numbered({ from: 0, count }, () =>
    getRequest(`/api/beos/domain/${domainOf(Math.floor(Math.random() * population))}`),
  );
}

/** The holders take turns, and no two consents have the same scope. */
function grantConsent({ holders, ieoIds, ...range }: GrantConsent): Buffer[] {
  const keys = keysOf(holders);
  return numbered(range, (index) => {
    const holder = inTurn(holders, index);
    const fields = {
      beoId: holder.beoId,
      ieoId: inTurn(ieoIds, index),
      scope: {
        intents: ['SUBMIT_RECORD', 'ANALYZE_VITALITY'],
        categories: ['BSP-CV', 'BSP-LA'],
        max_records: index + 1,
      },
      expiresInDays: 365,
    };
    return postRequest('/api/relayer/consent', signedBody('grantConsent', fields, keys(holder)));
  });
}

function revokeToken({ tokens }: RevokeToken): Buffer[] {
  const keys = keysOf(tokens);
  return tokens.map((token) => {
    const body = signedBody('revokeToken', { tokenId: token.tokenId }, keys(token));
    return deleteRequest(`/api/consent/${token.tokenId}`, body);
  });
}

/** The consents take turns. */
function submitRecords({ consents, ...range }: SubmitRecords): Buffer[] {
  const keys = keysOf(consents);
  return numbered(range, (batch) => {
    const consent = inTurn(consents, batch);
    const fields = {
      targetBeo: consent.beoId,
      consentToken: consent.tokenId,
      records: Array.from({ length: BATCH }, (_, position) => sampleRecord(batch * BATCH + position)),
    };
    return postRequest('/api/exchange/records', signedBody('submitRecords', fields, keys(consent)));
  });
}

/** Each request is signed, since a nonce is valid once. */
function readRecords({ consent, filters, count }: ReadRecords): Buffer[] {
  return numbered({ from: 0, count }, (index) => getRequest(readPath(consent, inTurn(filters, index))));
}

/** The path of a signed GET of records; `filters` are unsigned parameters. */
export function readPath({ beoId, tokenId, seed }: SeededConsent, filters: string): string {
  const signed = signedFields(
    'readRecords',
    { targetBeo: beoId, consentToken: tokenId },
    signingKeyOf(seed).privateKey,
  );
  return `/api/exchange/records?${new URLSearchParams(signed)}&${filters}`;
}

function get({ paths, count }: Get): Buffer[] {
  return numbered({ from: 0, count }, (index) => getRequest(inTurn(paths, index)));
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
