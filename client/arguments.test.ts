import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestService, type TestService } from '../server/testing/test-service.ts';
import { type Client, createClient } from './client.ts';
import { PerpetuaError } from './errors.ts';
import { generateKey, keyFromSeed } from './keys.ts';
import { signRequest } from './sign.ts';
import { newHolder, newInstitution, recordingClient } from './test-story.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

/** Arguments of another kind than any method takes. */
const WRONG: readonly unknown[] = [
  undefined,
  null,
  7,
  '',
  [],
  () => undefined,
  Symbol('x'),
  { other: 1 },
  { key: 'a key' },
];

test('every method refuses arguments of another kind in a sentence, and sends nothing', async () => {
  const { client, requests } = recordingClient(service.url, { retries: 0 });
  const takeNothing =
    /^(trusted|getHealth|getReadiness|getMetrics|getLedger|getJwks|getWebhookKeys|listEntries|listIEOs|listGuarded|searchIEOs|listProposals|listCertificationRequests)$/;
  // A method that can be called without its first argument is tested below.
  const methods = Object.entries(client).filter(([name]) => !takeNothing.test(name)) as [
    string,
    (...given: unknown[]) => unknown,
  ][];
  expect(methods.length).toBeGreaterThan(50);
  for (const [name, method] of methods) {
    for (const wrong of WRONG) {
      for (const given of [[wrong], [wrong, { key: generateKey() }], [{}, wrong ?? 7], [wrong, wrong]]) {
        const outcome = await Promise.resolve()
          .then(async () =>
            name === 'events'
              ? (client.events as (...all: unknown[]) => ReturnType<Client['events']>)(...given).next()
              : method(...given),
          )
          .catch((error: unknown) => error);
        if (!(outcome instanceof PerpetuaError)) throw new Error(`${name}(${given.map(String)}): ${String(outcome)}`);
        // A request that has no field of a wrong kind may be refused by the service.
        if (outcome.status === null)
          expect([name, outcome.code]).toEqual([name, expect.stringMatching(/^(CANNOT_SIGN|ARGUMENT_INVALID)$/)]);
        expect([name, outcome.message]).toEqual([name, expect.stringMatching(/[.:]$|\}\.$/)]);
      }
    }
  }
  expect(requests.filter((request) => /undefined|null|object/.test(request))).toEqual([]);
});

test.each([undefined, null, {}, { url: 7 }, { url: 'perpetua.example' }, { url: 'ftp://x' }, { url: 'http://' }])(
  'a client for %j is refused in a sentence',
  (options) => {
    expect(() => createClient(options as never)).toThrow(/^url must be the address of the service, like https:/);
  },
);

test('a key that cannot sign is refused in a sentence', async () => {
  const key = generateKey();
  for (const wrong of [key.seed, {}, { publicKey: key.publicKey }, { publicKey: 'x', sign: key.sign }]) {
    expect(() => createClient({ url: service.url, key: wrong as never })).toThrow(/^A key must have publicKey/);
    await expect(signRequest('lockBEO', {}, { key: wrong as never, now: 0 })).rejects.toThrow(/^A key must have/);
  }
  for (const wrong of [undefined, null, 7, {}, 'x']) {
    expect(() => keyFromSeed(wrong as never)).toThrow('A seed is 32 bytes, or 64 hex characters.');
  }
});

test('null and an empty text are as good as no argument', async () => {
  const { client } = recordingClient(service.url, { key: null, instituteKey: '', trusted: null, retries: 0 } as never);
  const { key, beoId, domain } = await newHolder(client);
  const nothing = null as never;
  const absent = { key: null, signal: null, instituteKey: '', link: '', onCursor: null } as never;
  for (const options of [nothing, absent]) {
    expect((await client.getBEO(beoId, options)).beo_id).toBe(beoId);
    expect((await client.getConsentHistory(domain, nothing, options)).count).toBe(0);
    expect((await client.getLedger(options)).head?.seq).toBeGreaterThan(0);
    expect(await client.listEntries(nothing, options)).not.toEqual([]);
    expect(await client.getMetrics(options).catch(({ code }: PerpetuaError) => code)).not.toBe('ARGUMENT_INVALID');
    const signed = createClient({ url: service.url, key });
    expect((await signed.listAccess({ beoId }, options)).events).toEqual([]);
    expect((await signed.listGuarded(nothing, options)).guarded).toEqual([]);
    expect(await signed.requestRecovery({ beoId }, options).catch(({ code }: PerpetuaError) => code)).toBe(
      'RECOVERY_NOT_CONFIGURED',
    );
    expect((await signed.lockBEO({ beoId }, options)).responseLost).toBe(false);
    await signed.unlockBEO({ beoId }, options);
    await expect(client.lockBEO({ beoId }, options)).rejects.toThrow('lockBEO needs a key.');
  }
});

test('a client without an address asks the origin of its page', async () => {
  const asked: string[] = [];
  const fetch = async (address: unknown) => {
    asked.push(String(address));
    return Response.json({ status: 'ok' });
  };
  for (const url of ['', '/', '/service/']) await createClient({ url, fetch }).getHealth();
  expect(asked).toEqual(['/health', '/health', '/service/health']);
  await expect(createClient({ url: '', retries: 0 }).getHealth()).rejects.toThrow(/^The service did not answer: /);
});

test('a signal of another window is accepted', async () => {
  const controller = new AbortController();
  const prototype = Object.create(EventTarget.prototype, Object.getOwnPropertyDescriptors(AbortSignal.prototype));
  const signal: AbortSignal = Object.setPrototypeOf(controller.signal, prototype);
  expect(signal).not.toBeInstanceOf(AbortSignal);
  const client = createClient({ url: service.url });
  expect((await client.getHealth({ signal })).status).toBe('ok');
  controller.abort(new Error('The person left.'));
  await expect(client.getHealth({ signal })).rejects.toThrow('The person left.');
});

describe('the fields of the API’s tables are accepted:', () => {
  test('by requestRecovery, which returns the links', async () => {
    const client = createClient({ url: service.url });
    const { key, beoId } = await newHolder(client);
    const guardians = [generateKey(), generateKey()];
    for (const [index, guardian] of guardians.entries()) {
      const role = (['primary', 'secondary'] as const)[index] ?? 'primary';
      const invited = await client.inviteGuardian({ beoId, name: 'Ana', contact: 'ana@example.org', role }, { key });
      if (invited.responseLost) throw new Error('The link is lost.');
      const accepted = { invitationId: invited.invitation_id, beoId, publicKey: guardian.publicKey };
      await client.acceptGuardian(accepted, { key: guardian, link: invited.url });
    }
    const newKey = generateKey();
    const newPublicKey = newKey.publicKey.toUpperCase();
    const opened = [
      await client.requestRecovery({ beoId, newPublicKey }, { key: newKey }),
      await client.requestRecovery({ beoId }, { newKey }),
      await createClient({ url: service.url, key: newKey }).requestRecovery({ beoId, newPublicKey }),
    ];
    for (const { links, responseLost } of opened) expect([links.length, responseLost]).toEqual([2, false]);
    const other = client.requestRecovery({ beoId, newPublicKey }, { key });
    await expect(other).rejects.toThrow('newPublicKey is not the public key of the key that signs.');
    await expect(client.requestRecovery({ beoId, newPublicKey })).rejects.toThrow(
      /^requestRecovery needs the key of newPublicKey/,
    );

    const [guardian] = guardians;
    if (!guardian) throw new Error('There is no guardian.');
    const { publicKey } = guardian;
    const lists = [
      await client.listGuarded({ publicKey }, { key: guardian }),
      await client.listGuarded({}, { key: guardian }),
      await client.listGuarded({ key: guardian }),
      await createClient({ url: service.url, key: guardian }).listGuarded(),
    ];
    for (const { guarded } of lists) expect(guarded.map(({ beo_id }) => beo_id)).toEqual([beoId]);
    await expect(client.listGuarded({ publicKey }, { key })).rejects.toThrow(/^publicKey is not the public key/);
  });

  test('by the reads, as by the paths', async () => {
    const client = createClient({ url: service.url });
    const { beoId, domain } = await newHolder(client);
    const { ieoId } = await newInstitution(client);
    expect((await client.getBEO({ beoId })).beo_id).toBe(beoId);
    expect((await client.getBEOByDomain({ domain })).beo_id).toBe(beoId);
    expect((await client.getIEO({ ieoId })).ieo_id).toBe(ieoId);
    expect((await client.getConsentHistory({ beo_domain: domain })).count).toBe(0);
    const { arweave_tx: id } = await client.getBEO(beoId);
    expect((await client.getTransaction({ id })).entry.id).toBe(id);
  });
});
