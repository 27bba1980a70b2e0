import type { GuardianRole } from '../../protocol/entities/guardian.ts';
import { requestRecovery } from '../../server/features/guardians/request-recovery.ts';
import type { Service } from '../../server/processes/service.ts';
import { newPerson, type Person } from '../../server/testing/test-service.ts';
import type { Accepted } from '../../server/write/accept.ts';
import { act, follow, type Holder, newHolder } from './test-operator.ts';

export interface AcceptedGuardian {
  readonly person: Person;
  readonly guardianId: string;
  readonly role: GuardianRole;
}

export interface Guarded extends Holder {
  readonly guardians: readonly [AcceptedGuardian, AcceptedGuardian, AcceptedGuardian];
}

/** The response to a request for recovery, and the requested key. */
export interface OpenedRequest {
  readonly next: Person;
  readonly requestId: string;
  readonly links: readonly { readonly role: string; readonly url: string }[];
}

const ROLES: readonly GuardianRole[] = ['primary', 'secondary', 'tertiary'];

export const tokenOf = (url: string): string => url.slice(url.lastIndexOf('/') + 1);

/** Invites a guardian, who accepts. */
export async function addGuardian(
  service: Service,
  { person, beoId }: Pick<Holder, 'person' | 'beoId'>,
  role: GuardianRole,
): Promise<AcceptedGuardian> {
  const guardian = { name: 'Grete', contact: 'grete@example.org', role };
  const { body } = await act(service, person, 'inviteGuardian', { beoId, ...guardian });
  const { guardian_id: guardianId, invitation_id: invitationId, url } = body as Record<string, string>;
  const invited = newPerson();
  const fields = { invitationId: invitationId ?? '', beoId, publicKey: invited.publicKey };
  await follow(service, invited, 'acceptGuardian', fields, { kind: 'invitation', token: tokenOf(url ?? '') });
  return { person: invited, guardianId: guardianId ?? '', role };
}

export const confirmGuardian = (
  service: Service,
  { person, beoId }: Pick<Holder, 'person' | 'beoId'>,
  { guardianId, person: guardian }: AcceptedGuardian,
) => act(service, person, 'confirmGuardian', { beoId, guardianId, publicKey: guardian.publicKey });

/** A holder with three guardians; the holder has confirmed the first `confirmed` of them. */
export async function newGuarded(service: Service, confirmed = 3): Promise<Guarded> {
  const holder = await newHolder(service);
  const guardians: AcceptedGuardian[] = [];
  for (const role of ROLES) guardians.push(await addGuardian(service, holder, role));
  for (const guardian of guardians.slice(0, confirmed)) await confirmGuardian(service, holder, guardian);
  return { ...holder, guardians: guardians as unknown as Guarded['guardians'] };
}

export async function openRequest(
  { context }: Service,
  beoId: string,
  next: Person = newPerson(),
): Promise<OpenedRequest> {
  const body = { beoId, newPublicKey: next.publicKey };
  const { request_id, links } = await requestRecovery(context, body, {
    charge: async () => null,
    language: 'en',
    address: '203.0.113.7',
  });
  return { next, requestId: request_id, links };
}

/** A guardian confirms a request through their link. */
export function confirmRecovery(
  service: Service,
  { beoId }: Pick<Holder, 'beoId'>,
  { next, requestId, links }: OpenedRequest,
  { person, role }: AcceptedGuardian,
): Promise<Accepted> {
  const token = tokenOf(links.find((link) => link.role === role)?.url ?? '');
  const fields = { requestId, beoId, newPublicKey: next.publicKey };
  return follow(service, person, 'confirmRecovery', fields, { kind: 'recovery', token });
}

/** Two guardians recover an identity to a new key. */
export async function recover<Party extends Guarded>(service: Service, party: Party): Promise<Party> {
  const request = await openRequest(service, party.domain);
  const [first, second] = party.guardians;
  await confirmRecovery(service, party, request, first);
  await confirmRecovery(service, party, request, second);
  return { ...party, person: request.next };
}

export interface GuardedPeople {
  readonly recovered: Guarded;
  /** Recovered by guardians that were never confirmed. */
  readonly recoveredByUnconfirmed: Guarded;
  /** Locked; one guardian has confirmed a request for it. */
  readonly withRequest: Guarded & { readonly request: OpenedRequest };
  /** Has cancelled a recovery, removed two guardians, who are still eligible, and invited a new one. */
  readonly withRemoved: Guarded;
  /** Has one open invitation. */
  readonly withInvitation: Holder & { readonly url: string; readonly invitationId: string };
  /** Destroyed, with guardians and an open request. */
  readonly destroyed: Guarded;
}

/** Creates holders with guardians in every status. */
export async function createGuardians(service: Service): Promise<GuardedPeople> {
  const [recovered, recoveredByUnconfirmed, withRequest, withRemoved, destroyed, withInvitation] = await Promise.all([
    newGuarded(service),
    newGuarded(service, 0),
    newGuarded(service, 2),
    newGuarded(service),
    newGuarded(service, 0),
    newHolder(service),
  ]);
  const request = await openRequest(service, withRequest.beoId);
  await confirmRecovery(service, withRequest, request, withRequest.guardians[1]);
  await confirmRecovery(service, destroyed, await openRequest(service, destroyed.domain), destroyed.guardians[0]);
  await act(service, destroyed.person, 'destroyBEO', { beoId: destroyed.beoId });
  const [kept, deceived] = withRemoved.guardians;
  const stopped = await openRequest(service, withRemoved.beoId);
  await confirmRecovery(service, withRemoved, stopped, deceived);
  const cancelled = { beoId: withRemoved.beoId, requestId: stopped.requestId };
  await act(service, withRemoved.person, 'cancelRecovery', cancelled);
  const named = { name: 'Grete', contact: 'grete@example.org', role: kept.role, public_key: kept.person.publicKey };
  const recovery = { guardians: [named, { name: 'Late', contact: 'late@example.org', role: 'tertiary' }] };
  await act(service, withRemoved.person, 'updateBEORecovery', { beoId: withRemoved.beoId, recovery });
  await act(service, withRequest.person, 'lockBEO', { beoId: withRequest.beoId });
  const { body } = await act(service, withInvitation.person, 'inviteGuardian', {
    ...{ beoId: withInvitation.beoId, name: 'Grete', contact: 'grete@example.org', role: 'primary' },
  });
  const { url, invitation_id: invitationId } = body as Record<string, string>;
  return {
    recovered: await recover(service, recovered),
    recoveredByUnconfirmed: await recover(service, recoveredByUnconfirmed),
    withRequest: { ...withRequest, request },
    withRemoved,
    withInvitation: { ...withInvitation, url: url ?? '', invitationId: invitationId ?? '' },
    destroyed,
  };
}
