import { expect } from 'vitest';
import type { GuardianRole } from '../../../protocol/entities/guardian.ts';
import { unshortened } from '../../../protocol/guardian-links.ts';
import { type Answer, newPerson, type Person, type TestApi } from '../../testing/test-service.ts';
import { type Fields, type Party, partiesOf } from '../../write/test-parties.ts';

/** A guardian who has accepted, with their key. */
export interface AcceptedGuardian {
  readonly person: Person;
  readonly id: string;
  readonly role: GuardianRole;
}

export interface Guarded {
  readonly holder: Party;
  readonly guardians: readonly [AcceptedGuardian, AcceptedGuardian, ...AcceptedGuardian[]];
}

/** An open invitation, as in the holder's response and at its link. */
export interface Invited {
  readonly holder: Party;
  readonly path: string;
  readonly invitationId: string;
  readonly guardianId: string;
}

export const ROLES: readonly GuardianRole[] = ['primary', 'secondary', 'tertiary'];

/** Public keys of small order, under which any message verifies, some in non-canonical encodings (RFC 8032 §5.1.3, §8.4). */
export const SMALL_ORDER_KEYS: readonly string[] = [
  '0000000000000000000000000000000000000000000000000000000000000000',
  '0100000000000000000000000000000000000000000000000000000000000000',
  '0100000000000000000000000000000000000000000000000000000000000080',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
];

export const HOUR = 3_600_000;

/** Requests JSON instead of the page of a link. */
export const ACCEPT_JSON = { accept: 'application/json' };

/** The API's path of a link, which may be short; token included, the same on every process. */
export function pathOf(url: string): string {
  const { pathname } = new URL(url);
  const page = unshortened(pathname);
  return page === pathname ? pathname : `/api${page}`;
}

/** The path of a link with another token. */
export const withToken = (path: string, token: string): string => `${path.slice(0, path.lastIndexOf('/') + 1)}${token}`;

export const tokenOf = (url: string): string => url.slice(url.lastIndexOf('/') + 1);

export type Guardians = ReturnType<typeof guardiansOf>;

/** Clients of holders, guardians and people who request recovery, over HTTP. `now` is their clock, in ms since 1970. */
export function guardiansOf(service: TestApi, now: () => number = Date.now) {
  const parties = partiesOf(service, now);
  const { sign } = parties;

  const guardian = (role: GuardianRole, more: Fields = {}): Fields => ({
    name: `The ${role} guardian`,
    contact: `${role}@example.org`,
    role,
    ...more,
  });

  const invite = ({ person, id }: Party, role: GuardianRole, more: Fields = {}): Promise<Answer> =>
    service.post('/api/guardian/invite', sign(person, 'inviteGuardian', { beoId: id, ...guardian(role), ...more }));

  const acceptance = (person: Person, beoId: string, invitationId: string, more: Fields = {}) =>
    sign(person, 'acceptGuardian', { invitationId, beoId, publicKey: person.publicKey, ...more });

  /** Opens a link as a page does: reads the invitation and sends the acceptance. */
  async function accept(url: string, person: Person, more: Fields = {}): Promise<Answer> {
    const { status, body } = await service.get(pathOf(url), ACCEPT_JSON);
    expect(status, JSON.stringify(body)).toBe(200);
    return service.post(pathOf(url), acceptance(person, body.beo_id, body.invitation_id, more));
  }

  async function seated(url: string, person: Person = newPerson()): Promise<AcceptedGuardian> {
    const answer = await accept(url, person);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    return { person, id: answer.body.guardian_id, role: answer.body.role };
  }

  /** Invites a guardian, who accepts. */
  async function seat(holder: Party, role: GuardianRole, person?: Person): Promise<AcceptedGuardian> {
    const answer = await invite(holder, role);
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    return seated(answer.body.url, person);
  }

  const confirmGuardian = ({ person, id }: Party, guardianId: string, publicKey: string): Promise<Answer> =>
    service.post('/api/guardian/confirm', sign(person, 'confirmGuardian', { beoId: id, guardianId, publicKey }));

  async function confirmed(holder: Party, ...guardians: readonly AcceptedGuardian[]): Promise<void> {
    for (const { id, person } of guardians) {
      const answer = await confirmGuardian(holder, id, person.publicKey);
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    }
  }

  /** A holder with guardians who have accepted, confirmed by the holder unless `confirm` is false. */
  async function guarded({ count = 2, confirm = true } = {}): Promise<Guarded> {
    const holder = await parties.newHolder();
    const guardians: AcceptedGuardian[] = [];
    for (const role of ROLES.slice(0, count)) guardians.push(await seat(holder, role));
    if (confirm) await confirmed(holder, ...guardians);
    return { holder, guardians: guardians as unknown as Guarded['guardians'] };
  }

  /** Requests recovery unsigned, as a person without any key does. */
  const ask = (beoId: string, newPublicKey: string, more: Fields = {}): Promise<Answer> =>
    service.post('/api/relayer/beo/request-recovery', { beoId, newPublicKey, ...more });

  /** Opens a recovery request that must succeed. @returns its response */
  async function asked(beoId: string, newPublicKey: string): Promise<Answer['body']> {
    const { status, body } = await ask(beoId, newPublicKey);
    expect(status, JSON.stringify(body)).toBe(200);
    return body;
  }

  const linkFor = (request: Answer['body'], { role }: Pick<AcceptedGuardian, 'role'>): string => {
    const link = request.links.find((candidate: { role: string }) => candidate.role === role);
    expect(link, `a link for the ${role} guardian`).toBeDefined();
    return pathOf(link.url);
  };

  const confirmation = (person: Person, beoId: string, requestId: string, newPublicKey: string, more: Fields = {}) =>
    sign(person, 'confirmRecovery', { requestId, beoId, newPublicKey, ...more });

  /** A guardian opens the link of a request and confirms it. */
  const confirm = (request: Answer['body'], holder: Party, key: string, guardian: AcceptedGuardian): Promise<Answer> =>
    service.post(linkFor(request, guardian), confirmation(guardian.person, holder.id, request.request_id, key));

  /** Two guardians recover the identity for a new key. */
  async function recovered(
    { holder, guardians: [first, second] }: Guarded,
    next: Person = newPerson(),
  ): Promise<Party> {
    const request = await asked(holder.domain, next.publicKey);
    const answers = [
      await confirm(request, holder, next.publicKey, first),
      await confirm(request, holder, next.publicKey, second),
    ];
    expect(answers.map(({ body }) => body.executed)).toEqual([false, true]);
    return { ...holder, person: next };
  }

  const configure = (holder: Party, recovery: Fields | null): Promise<Answer> =>
    parties.beo(holder, 'recovery', 'updateRecovery', { recovery });

  const beoOf = async (reference: string): Promise<Answer['body']> => {
    const { status, body } = await service.get(`/api/beos/${reference}`);
    expect(status, JSON.stringify(body)).toBe(200);
    return body.beo;
  };

  async function invited(holder?: Party, role: GuardianRole = 'primary'): Promise<Invited> {
    const inviting = holder ?? (await parties.newHolder());
    const { status, body } = await invite(inviting, role);
    expect(status, JSON.stringify(body)).toBe(201);
    const { url, invitation_id: invitationId, guardian_id: guardianId } = body;
    return { holder: inviting, path: pathOf(url), invitationId, guardianId };
  }

  /** Runs an action that must not change an identity. */
  async function expectUnchanged({ id }: Party, act: () => Promise<unknown>): Promise<void> {
    const before = await beoOf(id);
    await act();
    expect({ ...(await beoOf(id)), ledger: null }).toEqual({ ...before, ledger: null });
  }

  return {
    ...parties,
    invited,
    expectUnchanged,
    guardian,
    invite,
    acceptance,
    accept,
    seated,
    seat,
    confirmGuardian,
    confirmed,
    guarded,
    ask,
    asked,
    linkFor,
    confirmation,
    confirm,
    recovered,
    configure,
    beoOf,
  };
}
