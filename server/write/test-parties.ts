import { expect } from 'vitest';
import type { Json } from '../../protocol/signing/canonical-json.ts';
import {
  type Answer,
  freshDomain,
  newPerson,
  type Person,
  type SignedBody,
  type TestApi,
} from '../testing/test-service.ts';

/** A holder or an institution with the key of its client. */
export interface Party {
  readonly person: Person;
  readonly id: string;
  readonly domain: string;
  /** The transaction that created it. */
  readonly transactionId: string;
}

export type Fields = Record<string, Json>;

/** A scope for tests in which the scope does not matter. */
export const READING = { intents: ['READ_RECORDS'], categories: ['*'] };

export type Parties = ReturnType<typeof partiesOf>;

/** Clients of a service, over HTTP. `now` is their clock, in ms since 1970. */
export function partiesOf(service: TestApi, now: () => number = Date.now) {
  const sign = (person: Person, functionName: string, fields: Fields): SignedBody =>
    person.sign(functionName, fields, { timestamp: new Date(now()).toISOString() });

  const erase = (path: string, body: Json): Promise<Answer> =>
    service.request(path, {
      method: 'DELETE',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });

  async function newHolder(domain = freshDomain()): Promise<Party> {
    const person = newPerson();
    const body = sign(person, 'createBEO', { domain, publicKey: person.publicKey, recovery: null });
    const answer = await service.post('/api/relayer/beo', body);
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    return { person, id: answer.body.beo_id, domain, transactionId: answer.body.transactionId };
  }

  const ieoFields = (person: Person, more: Fields = {}) => ({
    domain: freshDomain(),
    ieoType: 'HOSPITAL',
    displayName: 'A Clinic',
    publicKey: person.publicKey,
    ...more,
  });

  async function newInstitution(more: Fields = {}): Promise<Party> {
    const person = newPerson();
    const answer = await service.post('/api/ieo', sign(person, 'createIEO', ieoFields(person, more)));
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    const { ieo_id: id, domain, transactionId } = answer.body;
    return { person, id, domain, transactionId };
  }

  const institute = (path: 'approve' | 'certification', body: Json, key: number): Promise<Answer> =>
    service.post(`/api/ieo/${path}`, body, { 'x-institute-key': service.instituteKeys[key - 1] ?? '' });

  const propose = (action: string, params: Json, key = 1): Promise<Answer> =>
    institute('approve', { action, params, justification: 'A complaint was found to be true.' }, key);

  const approve = (proposalId: string, key: number): Promise<Answer> => institute('approve', { proposalId }, key);

  /** Opens a proposal and approves it with a second key, which executes it. */
  async function decide(action: string, params: Json): Promise<Answer> {
    const opened = await propose(action, params);
    expect(opened.status, JSON.stringify(opened.body)).toBe(200);
    const approved = await approve(opened.body.proposal.proposal_id, 2);
    expect(approved.body, JSON.stringify(approved.body)).toMatchObject({ executed: true });
    return approved;
  }

  const grantBody = (holder: Party, ieoId: string, scope: Json = READING, expiresInDays: Json = null): SignedBody =>
    sign(holder.person, 'grantConsent', { beoId: holder.id, ieoId, scope, expiresInDays });

  const grant = (holder: Party, ieoId: string, scope?: Json, expiresInDays?: Json): Promise<Answer> =>
    service.post('/api/relayer/consent', grantBody(holder, ieoId, scope, expiresInDays));

  /** Grants a consent that must succeed. @returns the token */
  async function granted(holder: Party, ieoId: string, scope?: Json, expiresInDays?: Json) {
    const answer = await grant(holder, ieoId, scope, expiresInDays);
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    return answer.body.token;
  }

  return {
    sign,
    erase,
    newHolder,
    ieoFields,
    newInstitution,
    institute,
    propose,
    approve,
    decide,
    grantBody,
    grant,
    granted,
    /** A signed operation of an institution or a holder on itself. */
    beo: ({ person, id }: Party, path: string, functionName: string, more: Fields = {}) =>
      service.post(`/api/relayer/beo/${path}`, sign(person, functionName, { beoId: id, ...more })),
    ieo: ({ person, id }: Party, path: string, functionName: string, more: Fields = {}) =>
      service.post(`/api/ieo/${path}`, sign(person, functionName, { ieoId: id, ...more })),
    revoke: ({ person }: Party, tokenId: string, hints: Fields = {}) => {
      const { tokenId: _, ...body } = sign(person, 'revokeToken', { tokenId });
      return erase(`/api/consent/${tokenId}`, { ...body, ...hints });
    },
    revokeFrom: ({ person, id }: Party, ieoId: string) => {
      const { ieoId: _, ...body } = sign(person, 'revokeAllFromIEO', { beoId: id, ieoId });
      return erase(`/api/consent/ieo/${ieoId}`, body);
    },
    revokeIntent: ({ person, id }: Party, intent: string) => {
      const { intent: _, ...body } = sign(person, 'revokeByIntent', { beoId: id, intent });
      return erase(`/api/consent/intent/${intent}`, body);
    },
    verdict: async (tokenId: string, query = '') => {
      const answer = await service.get(`/api/consent/${tokenId}${query}`);
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
      return answer.body;
    },
  };
}
