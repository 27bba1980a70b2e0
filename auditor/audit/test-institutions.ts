import type { IeoType } from '../../protocol/entities/ieo.ts';
import type { Approver } from '../../protocol/entities/proposal.ts';
import type { ErrorCode, ProtocolError } from '../../protocol/errors.ts';
import type { Json } from '../../protocol/signing/canonical-json.ts';
import type { Service } from '../../server/processes/service.ts';
import { freshDomain, newPerson, type Person } from '../../server/testing/test-service.ts';
import { type Accepted, accept } from '../../server/write/accept.ts';
import { act, DIRECT, guardians, type Holder, newHolder, operationNamed } from './test-operator.ts';

export interface Institution {
  readonly person: Person;
  readonly ieoId: string;
  readonly domain: string;
  readonly answer: Accepted;
}

export async function newInstitution(service: Service, ieoType: IeoType = 'LAB'): Promise<Institution> {
  const person = newPerson();
  const domain = freshDomain();
  const fields = { domain, ieoType, displayName: `A ${ieoType}`, publicKey: person.publicKey, country: 'AT' };
  const answer = await act(service, person, 'createIEO', fields);
  return { person, ieoId: answer.body.ieo_id as string, domain, answer };
}

/** Sends a decision of the institute with one of its keys, without HTTP. */
export const decide = ({ context }: Service, name: string, body: Json, approver: Approver): Promise<Accepted> =>
  accept(context, operationNamed(name), body, { ...DIRECT, approver });

/** Opens a proposal with one key of the institute and approves it with another. */
export async function decideTogether(
  service: Service,
  action: string,
  params: Record<string, Json>,
  [first, second]: readonly [Approver, Approver] = [1, 2],
): Promise<string> {
  const opened = await decide(
    service,
    'openProposal',
    { action, params, justification: 'A complaint was found to be true.' },
    first,
  );
  const { proposal_id } = opened.body.proposal as { proposal_id: string };
  await decide(service, 'approveProposal', { proposalId: proposal_id }, second);
  return proposal_id;
}

export interface Grant {
  readonly tokenId: string;
  readonly transactionId: string;
}

export async function grant(
  service: Service,
  { person, beoId }: Pick<Holder, 'person' | 'beoId'>,
  ieoId: string,
  intents: readonly string[] = ['READ_RECORDS'],
  expiresInDays: number | null = 30,
  limits: { readonly max_records?: number } = {},
): Promise<Grant> {
  const scope = { intents: [...intents], categories: ['*'], ...limits };
  const { body, transactionId } = await act(service, person, 'grantConsent', { beoId, ieoId, scope, expiresInDays });
  return { tokenId: (body.token as { token_id: string }).token_id, transactionId: String(transactionId) };
}

/** Submits `count` records under a consent; returns their ids. */
export async function submit(
  service: Service,
  { person }: Pick<Institution, 'person'>,
  { beoId }: Pick<Holder, 'beoId'>,
  { tokenId }: Pick<Grant, 'tokenId'>,
  count = 1,
): Promise<readonly string[]> {
  const records = Array.from({ length: count }, (_, n) => ({
    ...{ biomarker: 'BSP-GL-001', value: 80 + n, unit: 'mg/dL', collected_at: new Date(n).toISOString() },
  }));
  const { body } = await act(service, person, 'submitRecords', { targetBeo: beoId, consentToken: tokenId, records });
  return body.record_ids as string[];
}

/** The error code of a rejected operation; null if it succeeds. */
export const refusalOf = (refused: Promise<unknown>): Promise<ErrorCode | null> =>
  refused.then(
    () => null,
    ({ code }: ProtocolError) => code,
  );

export interface SampleConsents {
  readonly people: readonly Holder[];
  /** The people who are not destroyed. */
  readonly holders: readonly Holder[];
  readonly lab: Institution;
  readonly hospital: Institution;
  readonly suspended: Institution;
  readonly revoked: Institution;
  readonly destroyed: Institution;
  /** A proposal with one approval. */
  readonly pending: string;
  /** A consent to the lab that is not revoked. */
  readonly kept: Grant;
  /** A revoked consent between a live holder and the live lab. */
  readonly withdrawn: Grant;
}

/** Creates people (at least five), institutions and consents, and applies every operation between them. */
export async function createConsents(service: Service, count = 6): Promise<SampleConsents> {
  const people = await Promise.all(Array.from({ length: count }, () => newHolder(service)));
  const [granter, lockedHolder, destroyedHolder, revoker, intentRevoker] = people as [
    Holder,
    Holder,
    Holder,
    Holder,
    Holder,
  ];
  const [lab, hospital, suspended, revoked, destroyed] = await Promise.all([
    newInstitution(service, 'LAB'),
    newInstitution(service, 'HOSPITAL'),
    newInstitution(service, 'INSURER'),
    newInstitution(service, 'WEARABLE'),
    newInstitution(service, 'RESEARCH'),
  ]);
  const { person, ieoId, domain } = lab;
  await act(service, person, 'lockIEO', { ieoId: domain });
  await act(service, person, 'unlockIEO', { ieoId: lab.answer.transactionId });
  const contacts = { ieoId: domain, apiEndpoint: 'https://lab.example.org/api', webhookUrl: null };
  await act(service, person, 'updateIEOContacts', contacts);
  await act(service, person, 'updateIEORecovery', { ieoId, recovery: { guardians } });
  await act(service, hospital.person, 'updateIEORecovery', { ieoId: hospital.domain, recovery: null });
  const next = newPerson();
  await act(service, person, 'rotateIEOKey', { ieoId, newPublicKey: next.publicKey });
  await decide(service, 'updateCertification', { ieoId: domain, level: 'BASIC', categories: ['BSP-CV'] }, 3);
  await decideTogether(service, 'changeCertLevel', { ieoId, level: 'ADVANCED', expiresAt: '2036-01-01T00:00:00Z' });

  const granted = await Promise.all(
    people.map(async (holder) => ({
      lab: await grant(service, holder, ieoId),
      hospital: await grant(service, holder, hospital.domain, ['SUBMIT_RECORD', 'EXPORT_DATA'], null),
      suspended: await grant(service, holder, String(suspended.answer.transactionId), ['REQUEST_SCORE']),
      revoked: await grant(service, holder, revoked.domain, ['SUBMIT_RECORD'], null),
      destroyed: await grant(service, holder, destroyed.ieoId, ['ANALYZE_VITALITY'], null),
      self: await grant(service, holder, holder.domain, ['READ_RECORDS', 'EXPORT_DATA'], null),
    })),
  );
  const consentsOf = (holder: Holder) => granted[people.indexOf(holder)] as (typeof granted)[0];

  await decideTogether(service, 'suspendIEO', { ieoId: suspended.domain, reason: 'A complaint.' });
  await decideTogether(service, 'reinstateIEO', { ieoId: suspended.ieoId }, [2, 3]);
  await decideTogether(service, 'suspendIEO', { ieoId: suspended.ieoId, reason: 'A second complaint.' }, [3, 1]);
  await act(service, revoked.person, 'lockIEO', { ieoId: revoked.ieoId });
  const unopened = {
    action: 'suspendIEO',
    params: { ieoId: hospital.domain, reason: 'A complaint.' },
    justification: 'x',
  };
  const opened = await decide(service, 'openProposal', unopened, 2);

  await act(service, revoker.person, 'revokeToken', { tokenId: consentsOf(revoker).lab.tokenId });
  await act(service, revoker.person, 'revokeToken', { tokenId: consentsOf(revoker).self.transactionId });
  await act(service, revoker.person, 'revokeAllFromIEO', { beoId: revoker.domain, ieoId: hospital.domain });
  await act(service, revoker.person, 'revokeAllFromIEO', { beoId: revoker.beoId, ieoId: revoker.domain });
  await act(service, intentRevoker.person, 'revokeByIntent', { beoId: intentRevoker.beoId, intent: 'EXPORT_DATA' });
  await act(service, lockedHolder.person, 'lockBEO', { beoId: lockedHolder.beoId });
  await act(service, lockedHolder.person, 'revokeAllTokens', { beoId: lockedHolder.answer.transactionId });

  await decideTogether(service, 'revokeIEO', { ieoId: revoked.answer.transactionId, reason: 'Proven.' }, [3, 2]);
  await act(service, destroyed.person, 'destroyIEO', { ieoId: destroyed.domain });
  await act(service, destroyedHolder.person, 'destroyBEO', { beoId: destroyedHolder.domain });
  for (const [institution, name] of [
    [destroyed, destroyed.domain],
    [destroyed, destroyed.answer.transactionId],
    [revoked, revoked.ieoId],
  ] as const) {
    const answer = await act(service, granter.person, 'revokeAllFromIEO', { beoId: granter.beoId, ieoId: name });
    if (answer.body.revoked_count !== 0) throw new Error(`Consents to ${institution.domain} had not ended with it.`);
  }
  await grant(service, revoker, lab.domain);
  return {
    people,
    holders: people.filter((holder) => holder !== destroyedHolder),
    ...{ lab: { ...lab, person: next }, hospital, suspended, revoked, destroyed },
    pending: (opened.body.proposal as { proposal_id: string }).proposal_id,
    kept: consentsOf(granter).lab,
    withdrawn: consentsOf(revoker).lab,
  };
}
