import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectRefusal } from '../../http/rest/test-refusal.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import { type ConsentParties, EVERYTHING, type Exchange, exchangeOf, measurement } from './test-exchange.ts';

/** The holder's own key reads and exports with any live token of that holder, within its scope. Protocol §3. */
let service: TestService;
let exchange: Exchange;
let use: ConsentParties;
beforeAll(async () => {
  service = await startTestService();
  exchange = exchangeOf(service);
  use = await exchange.newConsent({ ...EVERYTHING, categories: ['BSP-CV', 'BSP-LA'] });
  await exchange.submitted(use, [measurement(), measurement({ biomarker: 'BSP-LA-001' })]);
});
afterAll(() => service.stop());

/** The same token, used by its holder. */
const byHolder = (consent: ConsentParties): ConsentParties => ({ ...consent, by: consent.holder });

describe('the holder’s key', () => {
  test('reads and exports with an institution’s token, and the access events name the holder', async () => {
    const { holder, tokenId } = use;
    expect((await exchange.page(byHolder(use))).total).toBe(2);
    for (const format of ['JSON', 'CSV', 'FHIR_R4']) await exchange.exported(byHolder(use), format);
    const events = await exchange.accessEvents(holder);
    const own = { token_id: tokenId, grantee_id: holder.id, grantee_domain: holder.domain };
    expect(events.slice(0, 4)).toEqual([
      expect.objectContaining({ kind: 'export', ...own, format: 'FHIR_R4' }),
      expect.objectContaining({ kind: 'export', ...own, format: 'CSV' }),
      expect.objectContaining({ kind: 'export', ...own, format: 'JSON' }),
      expect.objectContaining({ kind: 'read', ...own, records: 2 }),
    ]);
  });

  test('is limited to the scope of the token', async () => {
    const narrow = { intents: ['READ_RECORDS'], categories: ['BSP-LA'], period: { from: '2026-03-01T00:00:00Z' } };
    const narrowRead = byHolder(await exchange.newConsent(narrow, { holder: use.holder }));
    expect((await exchange.page(narrowRead)).total).toBe(1);
    expectRefusal(await exchange.read(narrowRead, { categories: 'BSP-CV' }), 'CATEGORY_NOT_AUTHORIZED');
    expectRefusal(await exchange.read(narrowRead, { from: '2026-01-01T00:00:00Z' }), 'PERIOD_NOT_AUTHORIZED');
    expectRefusal(await exchange.exportAs(narrowRead, 'JSON'), 'INTENT_NOT_AUTHORIZED');
  });

  test('works while the institution is locked or suspended', async () => {
    const consent = await exchange.newConsent();
    await exchange.submitted(consent, [measurement()]);
    await exchange.parties.ieo(consent.by, 'lock', 'lockIEO');
    expectRefusal(await exchange.read(consent), 'IEO_LOCKED');
    expect((await exchange.page(byHolder(consent))).total).toBe(1);
    await exchange.parties.decide('suspendIEO', { ieoId: consent.by.id, reason: 'Late.' });
    expectRefusal(await exchange.read(consent), 'IEO_NOT_ACTIVE');
    expect((await exchange.page(byHolder(consent))).total).toBe(1);
  });

  test('exports only device data with a wearable’s token for all categories', async () => {
    const by = await exchange.parties.newInstitution({ ieoType: 'WEARABLE' });
    const wearable = await exchange.newConsent(
      { intents: ['EXPORT_DATA'], categories: ['*'] },
      { holder: use.holder, by },
    );
    expect(JSON.parse(await exchange.exported(byHolder(wearable), 'JSON')).records).toEqual([]);
  });

  test('cannot submit', async () => {
    expectRefusal(await exchange.submit(byHolder(use), [measurement()]), 'INVALID_SIGNATURE');
  });

  test('accepts a signature once', async () => {
    const url = exchange.query(exchange.signed(byHolder(use), 'readRecords'));
    expect((await service.get(url)).status).toBe(200);
    expectRefusal(await service.get(url), 'NONCE_REUSED');
  });
});

describe('the holder’s key is refused', () => {
  test('with a revoked token, while the identity is locked, and for another holder', async () => {
    const consent = await exchange.newConsent();
    const unrelated = await exchange.newConsent();
    for (const functionName of ['readRecords', 'lockBEO']) {
      const body = exchange.parties.sign(unrelated.holder.person, functionName, {
        targetBeo: consent.holder.id,
        consentToken: consent.tokenId,
      });
      expectRefusal(await service.get(exchange.query(body)), 'INVALID_SIGNATURE');
    }
    expectRefusal(await exchange.read({ ...byHolder(unrelated), tokenId: consent.tokenId }), 'NOT_TOKEN_OWNER');
    await exchange.parties.beo(consent.holder, 'lock', 'lockBEO');
    expectRefusal(await exchange.read(byHolder(consent)), 'BEO_LOCKED');
    await exchange.parties.beo(consent.holder, 'unlock', 'unlockBEO');
    await exchange.parties.revoke(consent.holder, consent.tokenId);
    expectRefusal(await exchange.read(byHolder(consent)), 'TOKEN_REVOKED');
  });

  test('after a rotation', async () => {
    const consent = await exchange.newConsent();
    const { person } = await exchange.parties.newHolder();
    await exchange.parties.beo(consent.holder, 'rotate-key', 'rotateKey', { newPublicKey: person.publicKey });
    expectRefusal(await exchange.read(byHolder(consent)), 'INVALID_SIGNATURE');
    expect((await exchange.read({ ...consent, by: { ...consent.holder, person } })).status).toBe(200);
  });
});
