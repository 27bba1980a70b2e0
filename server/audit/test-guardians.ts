import type { GuardianRole } from '../../protocol/ids.ts';
import { requestRecovery } from '../guardians/request-recovery.ts';
import type { Service } from '../service.ts';
import { newPerson, type Person } from '../test-service.ts';
import type { Accepted } from '../write/accept.ts';
import { act, follow, type Holder, newHolder } from './test-operator.ts';

export interface Seated {
  readonly person: Person;
  readonly guardianId: string;
  readonly role: GuardianRole;
}

export interface Guarded extends Holder {
  readonly guardians: readonly [Seated, Seated, Seated];
}

/** The response to a request for recovery, and the requested key. */
export interface Asked {
  readonly next: Person;
  readonly requestId: string;
  readonly links: readonly { readonly role: string; readonly url: string }[];
}

const ROLES: readonly GuardianRole[] = ['primary', 'secondary', 'tertiary'];

export const tokenOf = (url: string): string => url.slice(url.lastIndexOf('/') + 1);

/** Invites a guardian, who accepts. */
export async function seat(
  service: Service,
  { person, beoId }: Pick<Holder, 'person' | 'beoId'>,
  role: GuardianRole,
): Promise<Seated> {
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
  { guardianId, person: guardian }: Seated,
) => act(service, person, 'confirmGuardian', { beoId, guardianId, publicKey: guardian.publicKey });

/** A holder with three guardians; the holder has confirmed the first `confirmed` of them. */
export async function newGuarded(service: Service, confirmed = 3): Promise<Guarded> {
  const holder = await newHolder(service);
  const guardians: Seated[] = [];
  for (const role of ROLES) guardians.push(await seat(service, holder, role));
  for (const guardian of guardians.slice(0, confirmed)) await confirmGuardian(service, holder, guardian);
  return { ...holder, guardians: guardians as unknown as Guarded['guardians'] };
}

export async function ask({ context }: Service, beoId: string, next: Person = newPerson()): Promise<Asked> {
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
  { next, requestId, links }: Asked,
  { person, role }: Seated,
): Promise<Accepted> {
  const token = tokenOf(links.find((link) => link.role === role)?.url ?? '');
  const fields = { requestId, beoId, newPublicKey: next.publicKey };
  return follow(service, person, 'confirmRecovery', fields, { kind: 'recovery', token });
}

/** Two guardians recover an identity to a new key. */
export async function recover<Party extends Guarded>(service: Service, party: Party): Promise<Party> {
  const asked = await ask(service, party.domain);
  const [one, other] = party.guardians;
  await confirmRecovery(service, party, asked, one);
  await confirmRecovery(service, party, asked, other);
  return { ...party, person: asked.next };
}

export interface GuardedPeople {
  readonly recovered: Guarded;
  /** Recovered by guardians that were never confirmed. */
  readonly trusting: Guarded;
  /** Locked; one guardian has confirmed a request for it. */
  readonly waiting: Guarded & { readonly asked: Asked };
  /** Has removed two guardians, who are still eligible, and invited another one. */
  readonly changed: Guarded;
  /** Has one open invitation. */
  readonly inviting: Holder & { readonly url: string; readonly invitationId: string };
  /** Destroyed, with guardians and an open request. */
  readonly gone: Guarded;
}

/** Creates holders with guardians in every status. */
export async function createGuardians(service: Service): Promise<GuardedPeople> {
  const [one, other, third, changed, gone, inviting] = await Promise.all([
    newGuarded(service),
    newGuarded(service, 0),
    newGuarded(service, 2),
    newGuarded(service),
    newGuarded(service, 0),
    newHolder(service),
  ]);
  const asked = await ask(service, third.beoId);
  await confirmRecovery(service, third, asked, third.guardians[1]);
  await confirmRecovery(service, gone, await ask(service, gone.domain), gone.guardians[0]);
  await act(service, gone.person, 'destroyBEO', { beoId: gone.beoId });
  const [kept] = changed.guardians;
  const named = { name: 'Grete', contact: 'grete@example.org', role: kept.role, public_key: kept.person.publicKey };
  const recovery = { guardians: [named, { name: 'Late', contact: 'late@example.org', role: 'tertiary' }] };
  await act(service, changed.person, 'updateBEORecovery', { beoId: changed.beoId, recovery });
  await act(service, third.person, 'lockBEO', { beoId: third.beoId });
  const { body } = await act(service, inviting.person, 'inviteGuardian', {
    ...{ beoId: inviting.beoId, name: 'Grete', contact: 'grete@example.org', role: 'primary' },
  });
  const { url, invitation_id: invitationId } = body as Record<string, string>;
  return {
    recovered: await recover(service, one),
    trusting: await recover(service, other),
    waiting: { ...third, asked },
    changed,
    inviting: { ...inviting, url: url ?? '', invitationId: invitationId ?? '' },
    gone,
  };
}
