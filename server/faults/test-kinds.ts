import type { Json } from '../../protocol/signing/canonical-json.ts';
import { type AcceptedGuardian, guardiansOf } from '../guardians/test-guardians.ts';
import { EVERYTHING, measurements } from '../records/test-exchange.ts';
import { freshDomain, newPerson, type TestApi } from '../test-service.ts';
import { type Fields, type Party, READING } from '../write/test-parties.ts';

/** A request that is ready to be sent, and allowed by the state. */
export interface Ready {
  readonly method: 'POST' | 'DELETE';
  readonly path: string;
  readonly body: Readonly<Record<string, Json>>;
  readonly headers?: Record<string, string>;
}

/**
 * One request for each operation of the table, by its name: does what has to come before, and answers the request itself. Every
 * request has parties of its own, so that all can be sent at once.
 */
export function kindsOf(api: TestApi): Readonly<Record<string, () => Promise<Ready>>> {
  const guardians = guardiansOf(api);
  const { sign, newHolder, newInstitution, beo, ieo } = guardians;
  const post = (path: string, body: Fields, headers?: Record<string, string>): Ready => ({
    method: 'POST',
    path,
    body,
    ...(headers ? { headers } : {}),
  });

  const ofHolder =
    (path: string, functionName: string, more: Fields = {}, before: (holder: Party) => unknown = () => undefined) =>
    async (): Promise<Ready> => {
      const holder = await newHolder();
      await before(holder);
      return post(path, sign(holder.person, functionName, { beoId: holder.id, ...more }));
    };
  const ofInstitution =
    (path: string, functionName: string, more: Fields = {}, before: (party: Party) => unknown = () => undefined) =>
    async (): Promise<Ready> => {
      const party = await newInstitution();
      await before(party);
      return post(`/api/ieo/${path}`, sign(party.person, functionName, { ieoId: party.id, ...more }));
    };
  /** A holder, an institution, and the consent of the one to the other. */
  async function related(scope: Json) {
    const [holder, by] = [await newHolder(), await newInstitution()];
    const { token_id: tokenId } = await guardians.granted(holder, by.id, scope);
    return { holder, by, tokenId: tokenId as string };
  }
  const withdrawal = async (of: (relation: Awaited<ReturnType<typeof related>>) => Ready): Promise<Ready> =>
    of(await related(READING));
  const ofInstitute = (path: string, body: Fields, key: number): Ready =>
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
    lockBEO: ofHolder('/api/relayer/beo/lock', 'lockBEO'),
    unlockBEO: ofHolder('/api/relayer/beo/unlock', 'unlockBEO', {}, (holder) => beo(holder, 'lock', 'lockBEO')),
    rotateBEOKey: ofHolder('/api/relayer/beo/rotate-key', 'rotateKey', { newPublicKey: newPerson().publicKey }),
    destroyBEO: ofHolder('/api/relayer/beo/destroy', 'destroyBEO', {}, (holder) => guardians.invite(holder, 'primary')),
    updateBEORecovery: ofHolder('/api/relayer/beo/recovery', 'updateRecovery', { recovery }),
    revokeAllTokens: () =>
      withdrawal(({ holder }) =>
        post('/api/relayer/beo/revoke-all', sign(holder.person, 'revokeAllTokens', { beoId: holder.id })),
      ),

    inviteGuardian: ofHolder('/api/guardian/invite', 'inviteGuardian', guardians.guardian('tertiary')),
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
    requireConfirmedGuardians: ofHolder('/api/guardian/require-confirmed', 'requireConfirmedGuardians'),
    async resignGuardian() {
      const holder = await newHolder();
      const { id: guardianId, person } = await guardians.seat(holder, 'primary');
      return post('/api/guardian/resign', sign(person, 'resignGuardian', { beoId: holder.id, guardianId }));
    },
    async confirmRecovery() {
      const { holder, guardians: seats } = await guardians.guarded();
      const [one, other] = seats as [AcceptedGuardian, AcceptedGuardian];
      const { publicKey } = newPerson();
      const request = await guardians.asked(holder.id, publicKey);
      await guardians.confirm(request, holder, publicKey, one);
      const path = guardians.linkFor(request, other);
      return post(path, guardians.confirmation(other.person, holder.id, request.request_id, publicKey));
    },

    async createIEO() {
      const person = newPerson();
      return post('/api/ieo', sign(person, 'createIEO', guardians.ieoFields(person)));
    },
    lockIEO: ofInstitution('lock', 'lockIEO'),
    unlockIEO: ofInstitution('unlock', 'unlockIEO', {}, (party) => ieo(party, 'lock', 'lockIEO')),
    rotateIEOKey: ofInstitution('rotate-key', 'rotateKey', { newPublicKey: newPerson().publicKey }),
    destroyIEO: ofInstitution('destroy', 'destroyIEO'),
    updateIEOContacts: ofInstitution('contacts', 'updateContacts', {
      apiEndpoint: 'https://clinic.example/api',
      webhookUrl: null,
    }),
    updateIEORecovery: ofInstitution('recovery', 'updateRecovery', { recovery }),

    async grantConsent() {
      const [holder, institution] = [await newHolder(), await newInstitution()];
      return post('/api/relayer/consent', guardians.grantBody(holder, institution.id));
    },
    revokeToken: () =>
      withdrawal(({ holder, tokenId }) => {
        const { tokenId: _, ...body } = sign(holder.person, 'revokeToken', { tokenId });
        return { method: 'DELETE', path: `/api/consent/${tokenId}`, body };
      }),
    revokeAllFromIEO: () =>
      withdrawal(({ holder, by }) => {
        const { ieoId: _, ...body } = sign(holder.person, 'revokeAllFromIEO', {
          beoId: holder.id,
          ieoId: by.id,
        });
        return { method: 'DELETE', path: `/api/consent/ieo/${by.id}`, body };
      }),
    revokeByIntent: () =>
      withdrawal(({ holder }) => {
        const fields = { beoId: holder.id, intent: 'READ_RECORDS' };
        const { intent: _, ...body } = sign(holder.person, 'revokeByIntent', fields);
        return { method: 'DELETE', path: '/api/consent/intent/READ_RECORDS', body };
      }),

    async submitRecords() {
      const { holder, by, tokenId } = await related(EVERYTHING);
      const fields = { targetBeo: holder.id, consentToken: tokenId, records: measurements(20) };
      return post('/api/exchange/records', sign(by.person, 'submitRecords', fields));
    },

    async openProposal() {
      return ofInstitute('approve', proposal((await newInstitution()).id), 1);
    },
    async approveProposal() {
      const { params } = proposal((await newInstitution()).id);
      const { body } = await guardians.propose('suspendIEO', params as Json);
      return ofInstitute('approve', { proposalId: body.proposal.proposal_id }, 2);
    },
    async updateCertification() {
      const { id: ieoId } = await newInstitution();
      return ofInstitute('certification', { ieoId, level: 'ADVANCED' }, 3);
    },
  };
}
