import { createHash } from 'node:crypto';
import { wordlist } from '@scure/bip39/wordlists/english.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { derivedIds } from '../../../protocol/ids.ts';
import { canonicalJson } from '../../../protocol/signing/canonical-json.ts';
import { sealedDigest } from '../../../protocol/signing/sealing.ts';
import { A_DIGEST, expectRefusal } from '../../http/rest/test-refusal.ts';
import { openReceipt, wholeChain } from '../../ledger/test-chain.ts';
import {
  type Answer,
  freshDomain,
  newPerson,
  type Person,
  type SignedBody,
  startTestService,
  type TestService,
} from '../../testing/test-service.ts';
import type { Fields, Party } from '../../write/test-parties.ts';
import {
  ACCEPT_JSON,
  type AcceptedGuardian,
  type Guardians,
  guardiansOf,
  HOUR,
  pathOf,
  ROLES,
} from './test-guardians.ts';

let service: TestService;
let guardians: Guardians;
beforeAll(async () => {
  service = await startTestService();
  guardians = guardiansOf(service);
});
afterAll(() => service.stop());

const later = (instant: string, ms: number) => new Date(Date.parse(instant) + ms).toISOString();
const LINK = (kind: string) => new RegExp(`^${service.url}/api/guardian/${kind}/[\\w-]{43}$`);

/** Checks what every response to a write has. Returns the entry in its receipt. */
function entryOf({ status, headers, body }: Answer, expected: number, ...members: string[]) {
  expect(status, JSON.stringify(body)).toBe(expected);
  expect(Object.keys(body).sort()).toEqual(['receipt', 'transactionId', ...members].sort());
  expect(headers.get('location')).toBe(`/api/transactions/${body.transactionId}`);
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(headers.get('cache-control')).toBe('no-store');
  const { item, entry } = openReceipt(body.receipt);
  expect(item.id).toBe(body.transactionId);
  return entry;
}

/** The six words, computed bit by bit as protocol §4 defines them. */
function expectedWords(beoId: string, key: string): string {
  const digest = createHash('sha256').update(`perpetua-recovery:${beoId}:${key}`, 'ascii').digest();
  const bits = [...digest].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return [0, 1, 2, 3, 4, 5].map((n) => wordlist[Number.parseInt(bits.slice(11 * n, 11 * n + 11), 2)]).join(' ');
}

function expectSealed(answer: Answer, entry: object, functionName: string, { signature, ...signed }: SignedBody) {
  expect(answer.body.salt).toMatch(/^[0-9a-f]{64}$/);
  const digest = sealedDigest(
    Buffer.from(answer.body.salt, 'hex'),
    Buffer.from(signature, 'base64'),
    canonicalJson({ function: functionName, ...signed }),
  );
  expect(entry).toMatchObject({ function: functionName, sealed: digest, signature: null });
  expect(entry).not.toHaveProperty('message');
}

describe('from the invitation to the new key, only through the API', () => {
  let holder: Party;
  let created: Answer;
  const accepted: AcceptedGuardian[] = [];
  const next: Person = newPerson();
  let request: Answer['body'];

  test('a holder is created with three guardians, who each get a link', async () => {
    const person = newPerson();
    const recovery = { guardians: ROLES.map((role) => guardians.guardian(role)), threshold: 2 };
    const fields = { domain: freshDomain(), publicKey: person.publicKey, recovery };
    const sent = guardians.sign(person, 'createBEO', fields);
    created = await service.post('/api/relayer/beo', sent);
    const entry = entryOf(created, 201, 'salt', 'beo_id', 'domain', 'beo', 'invitations');
    expectSealed(created, entry, 'createBEO', sent);
    const { beo_id: id, domain, transactionId, invitations } = created.body;
    const ids = derivedIds(service.service.context.ledgerId, sent.signature);
    expect(invitations).toEqual(
      ROLES.map((role) => ({
        guardian_id: ids.guardianId(role),
        role,
        url: expect.stringMatching(LINK('accept')),
        expires_at: later(entry.accepted_at, 72 * HOUR),
      })),
    );
    holder = { person, id, domain, transactionId };
  });

  test('a link can be read any number of times', async () => {
    const [{ url, expires_at }] = created.body.invitations;
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        service.request(pathOf(url), { method: index % 2 ? 'GET' : 'HEAD', headers: ACCEPT_JSON }),
      ),
    );
    for (const [index, { status, headers, body }] of answers.entries()) {
      expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
      if (index % 2 === 0) expect(body).toBe('');
      else
        expect(body).toEqual({
          invitation_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
          beo_id: holder.id,
          beo_domain: holder.domain,
          role: 'primary',
          expires_at,
        });
    }
  });

  test('each guardian accepts with their own key', async () => {
    for (const [index, { url, guardian_id, role }] of created.body.invitations.entries()) {
      const person = newPerson();
      const { body: shown } = await service.get(pathOf(url), ACCEPT_JSON);
      const names = [holder.id, holder.domain.toUpperCase(), holder.transactionId];
      const sent = guardians.acceptance(person, names[index] ?? '', shown.invitation_id);
      const answer = await service.post(pathOf(url), sent);
      const entry = entryOf(answer, 200, 'guardian_id', 'role', 'status', 'beo_domain');
      expect(answer.body).toMatchObject({ guardian_id, role, status: 'ACTIVE', beo_domain: holder.domain });
      const { signature, ...signed } = sent;
      expect(entry).toMatchObject({
        function: 'acceptGuardian',
        entity_id: holder.id,
        signer: person.publicKey,
        signature,
        message: { function: 'acceptGuardian', ...signed },
      });
      expectRefusal(await service.get(pathOf(url), ACCEPT_JSON), 'LINK_USED');
      const again = guardians.acceptance(newPerson(), holder.id, shown.invitation_id);
      expectRefusal(await service.post(pathOf(url), again), 'LINK_USED');
      accepted.push({ person, id: guardian_id, role });
    }
    const { recovery } = await guardians.beoOf(holder.id);
    expect(recovery).toEqual({
      enabled: true,
      threshold: 2,
      confirmed_only: false,
      guardians: accepted.map(({ person, id, role }) => ({
        guardian_id: id,
        role,
        public_key: person.publicKey,
        status: 'ACTIVE',
        accepted: true,
        confirmed: false,
        added_at: created.body.beo.created_at,
        accepted_at: expect.stringMatching(/Z$/),
      })),
    });
  });

  test('the holder confirms their keys', async () => {
    for (const { person, id, role } of accepted) {
      const fields = { beoId: holder.domain, guardianId: id.toUpperCase(), publicKey: person.publicKey.toUpperCase() };
      const sent = guardians.sign(holder.person, 'confirmGuardian', fields);
      const answer = await service.post('/api/guardian/confirm', sent);
      const entry = entryOf(answer, 200, 'guardian_id', 'role', 'status', 'beo_domain');
      expect(answer.body).toMatchObject({ guardian_id: id, role, status: 'ACTIVE', beo_domain: holder.domain });
      expect(entry).toMatchObject({
        function: 'confirmGuardian',
        signer: holder.person.publicKey,
        entity_id: holder.id,
      });
      expectRefusal(await guardians.confirmGuardian(holder, id, person.publicKey), 'ALREADY_CONFIRMED');
    }
    const { recovery } = await guardians.beoOf(holder.domain);
    expect(recovery.guardians.map(({ confirmed }: { confirmed: boolean }) => confirmed)).toEqual([true, true, true]);
  });

  test('a request needs only the domain and changes no state', async () => {
    const before = await guardians.beoOf(holder.id);
    const { seq } = (await service.get('/api/ledger')).body.head;
    const answer = await guardians.ask(holder.domain.toUpperCase(), next.publicKey.toUpperCase());
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    expect(answer.headers.get('location')).toBe(null);
    request = answer.body;
    expect(request).toEqual({
      transactionId: null,
      receipt: null,
      request_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      expires_at: expect.stringMatching(/Z$/),
      fingerprint: expectedWords(holder.id, next.publicKey),
      confirmations_needed: 2,
      links: ROLES.map((role) => ({ role, url: expect.stringMatching(LINK('confirm-recovery')) })),
    });
    expect(Date.parse(request.expires_at) - service.service.context.clock.now()).toBeGreaterThan(71.9 * HOUR);
    expect(await guardians.beoOf(holder.id)).toEqual({ ...before, ledger: expect.anything() });
    expect(before.active_recovery).toBe(null);
    expect((await service.get('/api/ledger')).body.head.seq).toBe(seq);
  });

  test('its links show the request on every read', async () => {
    for (const { url } of request.links) {
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, index) =>
          service.request(pathOf(url), { method: index % 2 ? 'GET' : 'HEAD', headers: ACCEPT_JSON }),
        ),
      );
      for (const { status, headers } of answers) {
        expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
      }
      expect(answers[1]?.body).toEqual({
        request_id: request.request_id,
        beo_id: holder.id,
        beo_domain: holder.domain,
        new_public_key: next.publicKey,
        confirmations: 0,
        expires_at: request.expires_at,
      });
    }
  });

  test('a request signed by the new key opens a second one', async () => {
    const fields = { beoId: holder.id, newPublicKey: next.publicKey };
    const signed = guardians.sign(next, 'requestRecovery', fields);
    const { status, body } = await service.post('/api/relayer/beo/request-recovery', signed);
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body.fingerprint).toBe(request.fingerprint);
    expect(body.request_id).not.toBe(request.request_id);
  });

  test('the first confirmation is public and does not execute the recovery', async () => {
    const [first] = accepted as [AcceptedGuardian];
    const answer = await guardians.confirm(request, holder, next.publicKey, first);
    const entry = entryOf(answer, 200, 'request_id', 'confirmations', 'confirmations_needed', 'executed');
    expect(answer.body).toMatchObject({
      request_id: request.request_id,
      confirmations: 1,
      confirmations_needed: 2,
      executed: false,
    });
    expect(entry).toMatchObject({
      function: 'confirmRecovery',
      entity_id: holder.id,
      signer: first.person.publicKey,
      assigned: { opened_at: later(request.expires_at, -72 * HOUR) },
    });
    const beo = await guardians.beoOf(holder.id);
    expect(beo.public_key).toBe(holder.person.publicKey);
    expect(beo.active_recovery).toEqual({
      request_id: request.request_id,
      new_public_key: next.publicKey,
      confirmations: 1,
      confirmations_needed: 2,
      expires_at: request.expires_at,
    });
    const [confirmedLink, openLink] = await Promise.all(
      accepted.map((guardian) => service.get(guardians.linkFor(request, guardian), ACCEPT_JSON)),
    );
    expectRefusal(confirmedLink as Answer, 'LINK_USED');
    expect(openLink?.body).toMatchObject({ confirmations: 1 });
    expectRefusal(await guardians.confirm(request, holder, next.publicKey, first), 'ALREADY_CONFIRMED');
  });

  test('the second confirmation executes it: the old key is refused, the new one works, consents remain', async () => {
    const clinic = await guardians.newInstitution();
    const token = await guardians.granted(holder, clinic.id);
    const [, second, third] = accepted as [AcceptedGuardian, AcceptedGuardian, AcceptedGuardian];
    const answer = await guardians.confirm(request, holder, next.publicKey, second);
    const entry = entryOf(answer, 200, 'request_id', 'confirmations', 'confirmations_needed', 'executed');
    expect(answer.body).toMatchObject({ confirmations: 2, confirmations_needed: 2, executed: true });
    const beo = await guardians.beoOf(holder.domain);
    expect(beo).toMatchObject({
      public_key: next.publicKey,
      key_version: 2,
      status: 'ACTIVE',
      updated_at: entry.accepted_at,
      active_recovery: null,
      arweave_tx: holder.transactionId,
      ledger: { seq: entry.seq },
    });
    expect(beo.recovery.guardians.map(({ status }: { status: string }) => status)).toEqual([
      'ACTIVE',
      'ACTIVE',
      'ACTIVE',
    ]);

    for (const guardian of [second, third]) {
      expectRefusal(await service.get(guardians.linkFor(request, guardian), ACCEPT_JSON), 'REQUEST_CLOSED');
      expectRefusal(await guardians.confirm(request, holder, next.publicKey, guardian), 'REQUEST_CLOSED');
    }
    const old = await guardians.beo(holder, 'lock', 'lockBEO');
    expectRefusal(old, 'INVALID_SIGNATURE');
    expect(old.body.details).toEqual({ expected_key: 'BEO', message_sha256: A_DIGEST });
    expect(await guardians.verdict(token.token_id)).toMatchObject({ valid: true });
    const renewed = { ...holder, person: next };
    expect((await guardians.beo(renewed, 'lock', 'lockBEO')).status).toBe(200);
    expect((await guardians.beo(renewed, 'unlock', 'unlockBEO')).status).toBe(200);
    expect((await guardians.revoke(renewed, token.token_id)).status).toBe(200);
  });

  test('the ledger contains all operations', async () => {
    const entries = (await wholeChain(service.service.context.pool)).filter(({ entity_id }) => entity_id === holder.id);
    const functions = entries.map((entry) => entry.function);
    expect(functions.slice(0, 9)).toEqual([
      'createBEO',
      ...ROLES.map(() => 'acceptGuardian'),
      ...ROLES.map(() => 'confirmGuardian'),
      'confirmRecovery',
      'confirmRecovery',
    ]);
  });
});

describe('an invitation of another guardian', () => {
  test('returns its link and the salt of the sealed entry', async () => {
    const holder = await guardians.newHolder();
    const fields: Fields = { beoId: holder.id, ...guardians.guardian('secondary') };
    const sent = guardians.sign(holder.person, 'inviteGuardian', fields);
    const answer = await service.post('/api/guardian/invite', sent);
    const entry = entryOf(answer, 201, 'salt', 'guardian_id', 'invitation_id', 'url', 'expires_at');
    expectSealed(answer, entry, 'inviteGuardian', sent);
    const ids = derivedIds(service.service.context.ledgerId, sent.signature);
    const [guardian_id, invitation_id] = [ids.guardianId('secondary'), ids.invitationId('secondary')];
    expect(answer.body).toMatchObject({
      guardian_id,
      invitation_id,
      url: expect.stringMatching(LINK('accept')),
      expires_at: later(entry.accepted_at, 72 * HOUR),
    });
    expect(entry).toMatchObject({
      entity_id: holder.id,
      signer: holder.person.publicKey,
      public: {
        timestamp: sent.timestamp,
        beoId: holder.id,
        guardian: { guardian_id, invitation_id, role: 'secondary', public_key: null },
      },
    });
    expect((await service.get(pathOf(answer.body.url), ACCEPT_JSON)).body).toMatchObject({ invitation_id });
  });
});

describe('a new configuration', () => {
  test('keeps guardians named by key, invites new ones and removes the rest', async () => {
    const {
      holder,
      guardians: [primary, secondary],
    } = await guardians.guarded();
    const recovery = {
      guardians: [
        guardians.guardian('primary', {
          public_key: secondary.person.publicKey.toUpperCase(),
          accepted: true,
          added_at: null,
        }),
        guardians.guardian('tertiary', { public_key: '' }),
      ],
      enabled: null,
    };
    const sent = guardians.sign(holder.person, 'updateRecovery', { beoId: holder.id, recovery });
    const answer = await service.post('/api/relayer/beo/recovery', sent);
    const entry = entryOf(answer, 200, 'salt', 'recovery', 'invitations');
    expectSealed(answer, entry, 'updateRecovery', sent);
    const { body } = answer;
    expect(body.invitations).toEqual([
      {
        guardian_id: derivedIds(service.service.context.ledgerId, sent.signature).guardianId('tertiary'),
        role: 'tertiary',
        url: expect.stringMatching(LINK('accept')),
        expires_at: later(entry.accepted_at, 72 * HOUR),
      },
    ]);
    expect(body.recovery).toMatchObject({ enabled: true, threshold: 2 });
    const shown = Object.fromEntries(
      body.recovery.guardians.map((guardian: Record<string, unknown>) => [guardian.guardian_id, guardian]),
    );
    expect(Object.keys(shown)).toHaveLength(3);
    expect(shown[secondary.id]).toMatchObject({ role: 'primary', status: 'ACTIVE', confirmed: true });
    expect(shown[body.invitations[0].guardian_id]).toMatchObject({ role: 'tertiary', status: 'PENDING' });
    expect(shown[primary.id]).toMatchObject({ role: 'primary', status: 'REMOVED', accepted: true, confirmed: true });
    expect((await guardians.beoOf(holder.id)).recovery).toEqual(body.recovery);
  });

  test('without guardians is not sealed, because it has no personal data', async () => {
    const { holder } = await guardians.guarded();
    const answer = await guardians.configure(holder, null);
    const entry = entryOf(answer, 200, 'recovery', 'invitations');
    expect(entry).toMatchObject({ function: 'updateRecovery', message: { recovery: null } });
    expect(answer.body).toMatchObject({ recovery: { enabled: false, threshold: 2 }, invitations: [] });
  });
});

test('names and contacts with line breaks or direction controls are refused wherever a guardian is named', async () => {
  const holder = await guardians.newHolder();
  for (const [member, value] of [
    ['name', 'Ana\nYour code is 1234'],
    ['contact', 'ana@example.org\u202e'],
  ] as const) {
    const guardian = { name: 'Ana', contact: 'ana@example.org', role: 'primary', [member]: value };
    const invited = await guardians.invite(holder, 'primary', { [member]: value });
    expect([invited.body.code, invited.body.details.issues[0].path]).toEqual(['VALIDATION_FAILED', member]);
    const recovery = { guardians: [guardian] };
    const { publicKey, sign } = newPerson();
    const answers = [
      await service.post('/api/relayer/beo', sign('createBEO', { domain: freshDomain(), publicKey, recovery })),
      await service.post(
        '/api/relayer/beo/recovery',
        holder.person.sign('updateRecovery', { beoId: holder.id, recovery }),
      ),
    ];
    for (const { body } of answers) {
      expect([body.code, body.details.issues[0].path]).toEqual(['VALIDATION_FAILED', `recovery.guardians.0.${member}`]);
    }
  }
});
