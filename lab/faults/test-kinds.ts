import type { Json } from '../../protocol/signing/canonical-json.ts';
import { type AcceptedGuardian, guardiansOf } from '../../server/features/guardians/test-guardians.ts';
import { EVERYTHING, measurements } from '../../server/features/records/test-exchange.ts';
import { freshDomain, newPerson, type TestApi } from '../../server/testing/test-service.ts';
import { type Fields, type Party, READING } from '../../server/write/test-parties.ts';

/** A request that the current state allows. */
export interface ValidRequest {
  readonly method: 'POST' | 'DELETE';
  readonly path: string;
  readonly body: Readonly<Record<string, Json>>;
  readonly headers?: Record<string, string>;
}

/**
 * Prepares a request for each operation, by operation name: creates the state it needs and returns the unsent request.
 * Each request has its own parties, so that all can be sent concurrently.
 */
export function requestsByOperation(api: TestApi): Readonly<Record<string, () => Promise<ValidRequest>>> {
  const guardians = guardiansOf(api);
  const { sign, newHolder, newInstitution, beo, ieo } = guardians;
  const post = (path: string, body: Fields, headers?: Record<string, string>): ValidRequest => ({
    method: 'POST',
    path,
    body,
    ...(headers ? { headers } : {}),
  });

  const fromHolder =
    (path: string, functionName: string, more: Fields = {}, before: (holder: Party) => unknown = () => undefined) =>
    async (): Promise<ValidRequest> => {
      const holder = await newHolder();
      await before(holder);
      return post(path, sign(holder.person, functionName, { beoId: holder.id, ...more }));
    };
  const fromInstitution =
    (path: string, functionName: string, more: Fields = {}, before: (party: Party) => unknown = () => undefined) =>
    async (): Promise<ValidRequest> => {
      const party = await newInstitution();
      await before(party);
      return post(`/api/ieo/${path}`, sign(party.person, functionName, { ieoId: party.id, ...more }));
    };
  /** A holder, an institution, and a consent between them. */
  async function newConsent(scope: Json) {
    const [holder, by] = [await newHolder(), await newInstitution()];
    const { token_id: tokenId } = await guardians.granted(holder, by.id, scope);
    return { holder, by, tokenId: tokenId as string };
  }
  const withConsent = async (
    build: (consent: Awaited<ReturnType<typeof newConsent>>) => ValidRequest,
  ): Promise<ValidRequest> => build(await newConsent(READING));
  const fromInstitute = (path: string, body: Fields, key: number): ValidRequest =>
    post(`/api/ieo/${path}`, body, { 'x-institute-key': api.instituteKeys[key - 1] ?? '' });
  const proposal = (ieoId: string): Fields => ({
    action: 'suspendIEO',
    params: { ieoId, reason: 'A complaint was found to be true.' },
    justification: `About ${ieoId}.`,
  });
  const recovery = { guardians: [guardians.guardian('primary'), guardians.guardian('secondary')] };

  return {
    async createBEO() {
      const person = newPerson();
      const fields = { domain: freshDomain(), publicKey: person.publicKey, recovery };
      return post('/api/relayer/beo', sign(person, 'createBEO', fields));
    },
    lockBEO: fromHolder('/api/relayer/beo/lock', 'lockBEO'),
    unlockBEO: fromHolder('/api/relayer/beo/unlock', 'unlockBEO', {}, (holder) => beo(holder, 'lock', 'lockBEO')),
    rotateBEOKey: fromHolder('/api/relayer/beo/rotate-key', 'rotateKey', { newPublicKey: newPerson().publicKey }),
    destroyBEO: fromHolder('/api/relayer/beo/destroy', 'destroyBEO', {}, (holder) =>
      guardians.invite(holder, 'primary'),
    ),
    updateBEORecovery: fromHolder('/api/relayer/beo/recovery', 'updateRecovery', { recovery }),
    revokeAllTokens: () =>
      withConsent(({ holder }) =>
        post('/api/relayer/beo/revoke-all', sign(holder.person, 'revokeAllTokens', { beoId: holder.id })),
      ),

    inviteGuardian: fromHolder('/api/guardian/invite', 'inviteGuardian', guardians.guardian('tertiary')),
    async acceptGuardian() {
      const { holder, path, invitationId } = await guardians.invited();
      return post(path, guardians.acceptance(newPerson(), holder.id, invitationId));
    },
    async confirmGuardian() {
      const holder = await newHolder();
      const { id: guardianId, person } = await guardians.seat(holder, 'primary');
      const fields = { beoId: holder.id, guardianId, publicKey: person.publicKey };
      return post('/api/guardian/confirm', sign(holder.person, 'confirmGuardian', fields));
    },
    requireConfirmedGuardians: fromHolder('/api/guardian/require-confirmed', 'requireConfirmedGuardians'),
    async resignGuardian() {
      const holder = await newHolder();
      const { id: guardianId, person } = await guardians.seat(holder, 'primary');
      return post('/api/guardian/resign', sign(person, 'resignGuardian', { beoId: holder.id, guardianId }));
    },
    async confirmRecovery() {
      const { holder, guardians: accepted } = await guardians.guarded();
      const [first, second] = accepted as [AcceptedGuardian, AcceptedGuardian];
      const { publicKey } = newPerson();
      const request = await guardians.asked(holder.id, publicKey);
      await guardians.confirm(request, holder, publicKey, first);
      const path = guardians.linkFor(request, second);
      return post(path, guardians.confirmation(second.person, holder.id, request.request_id, publicKey));
    },
    async cancelRecovery() {
      const { holder, guardians: accepted } = await guardians.guarded();
      const { publicKey } = newPerson();
      const { request_id: requestId, ...request } = await guardians.asked(holder.id, publicKey);
      await guardians.confirm({ ...request, request_id: requestId }, holder, publicKey, accepted[0]);
      const fields = { beoId: holder.id, requestId };
      return post('/api/relayer/beo/cancel-recovery', sign(holder.person, 'cancelRecovery', fields));
    },

    async createIEO() {
      const person = newPerson();
      return post('/api/ieo', sign(person, 'createIEO', guardians.ieoFields(person)));
    },
    lockIEO: fromInstitution('lock', 'lockIEO'),
    unlockIEO: fromInstitution('unlock', 'unlockIEO', {}, (party) => ieo(party, 'lock', 'lockIEO')),
    rotateIEOKey: fromInstitution('rotate-key', 'rotateKey', { newPublicKey: newPerson().publicKey }),
    destroyIEO: fromInstitution('destroy', 'destroyIEO'),
    updateIEOContacts: fromInstitution('contacts', 'updateContacts', {
      apiEndpoint: 'https://clinic.example/api',
      webhookUrl: null,
    }),
    updateIEORecovery: fromInstitution('recovery', 'updateRecovery', { recovery }),

    async grantConsent() {
      const [holder, institution] = [await newHolder(), await newInstitution()];
      return post('/api/relayer/consent', guardians.grantBody(holder, institution.id));
    },
    revokeToken: () =>
      withConsent(({ holder, tokenId }) => {
        const { tokenId: _, ...body } = sign(holder.person, 'revokeToken', { tokenId });
        return { method: 'DELETE', path: `/api/consent/${tokenId}`, body };
      }),
    revokeAllFromIEO: () =>
      withConsent(({ holder, by }) => {
        const { ieoId: _, ...body } = sign(holder.person, 'revokeAllFromIEO', {
          beoId: holder.id,
          ieoId: by.id,
        });
        return { method: 'DELETE', path: `/api/consent/ieo/${by.id}`, body };
      }),
    revokeByIntent: () =>
      withConsent(({ holder }) => {
        const fields = { beoId: holder.id, intent: 'READ_RECORDS' };
        const { intent: _, ...body } = sign(holder.person, 'revokeByIntent', fields);
        return { method: 'DELETE', path: '/api/consent/intent/READ_RECORDS', body };
      }),

    async submitRecords() {
      const { holder, by, tokenId } = await newConsent(EVERYTHING);
      const fields = { targetBeo: holder.id, consentToken: tokenId, records: measurements(20) };
      return post('/api/exchange/records', sign(by.person, 'submitRecords', fields));
    },

    async openProposal() {
      return fromInstitute('approve', proposal((await newInstitution()).id), 1);
    },
    async approveProposal() {
      const { params } = proposal((await newInstitution()).id);
      const { body } = await guardians.propose('suspendIEO', params as Json);
      return fromInstitute('approve', { proposalId: body.proposal.proposal_id }, 2);
    },
    async updateCertification() {
      const { id: ieoId } = await newInstitution();
      return fromInstitute('certification', { ieoId, level: 'ADVANCED' }, 3);
    },
  };
}
