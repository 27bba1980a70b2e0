import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectRefusal } from '../http/rest/test-refusal.ts';
import { startTestService, type TestService } from '../test-service.ts';
import { EVERYTHING, type Exchange, exchangeOf, measurement, type Relation } from './test-exchange.ts';

/** The holder's own key reads and exports with any live token of that holder, within its scope. Protocol §3. */
let service: TestService;
let exchange: Exchange;
let use: Relation;
beforeAll(async () => {
  service = await startTestService();
  exchange = exchangeOf(service);
  use = await exchange.related({ ...EVERYTHING, categories: ['BSP-CV', 'BSP-LA'] });
  await exchange.submitted(use, [measurement(), measurement({ biomarker: 'BSP-LA-001' })]);
});
afterAll(() => service.stop());

/** The same token, used by its holder. */
const owns = (relation: Relation): Relation => ({ ...relation, by: relation.holder });

describe('the key of the holder', () => {
  test('reads and exports with an institution’s token, and access events name the holder', async () => {
    const { holder, tokenId } = use;
    expect((await exchange.page(owns(use))).total).toBe(2);
    for (const format of ['JSON', 'CSV', 'FHIR_R4']) await exchange.taken(owns(use), format);
    const events = await exchange.accesses(holder);
    const own = { token_id: tokenId, grantee_id: holder.id, grantee_domain: holder.domain };
    expect(events.slice(0, 4)).toEqual([
      expect.objectContaining({ kind: 'export', ...own, format: 'FHIR_R4' }),
      expect.objectContaining({ kind: 'export', ...own, format: 'CSV' }),
      expect.objectContaining({ kind: 'export', ...own, format: 'JSON' }),
      expect.objectContaining({ kind: 'read', ...own, records: 2 }),
    ]);
  });

  test('is limited to the scope', async () => {
    const narrow = { intents: ['READ_RECORDS'], categories: ['BSP-LA'], period: { from: '2026-03-01T00:00:00Z' } };
    const read = owns(await exchange.related(narrow, { holder: use.holder }));
    expect((await exchange.page(read)).total).toBe(1);
    expectRefusal(await exchange.read(read, { categories: 'BSP-CV' }), 'CATEGORY_NOT_AUTHORIZED');
    expectRefusal(await exchange.read(read, { from: '2026-01-01T00:00:00Z' }), 'PERIOD_NOT_AUTHORIZED');
    expectRefusal(await exchange.take(read, 'JSON'), 'INTENT_NOT_AUTHORIZED');
  });

  test('works while the institution is locked or suspended', async () => {
    const relation = await exchange.related();
    await exchange.submitted(relation, [measurement()]);
    await exchange.parties.ieo(relation.by, 'lock', 'lockIEO');
    expectRefusal(await exchange.read(relation), 'IEO_LOCKED');
    expect((await exchange.page(owns(relation))).total).toBe(1);
    await exchange.parties.decide('suspendIEO', { ieoId: relation.by.id, reason: 'Late.' });
    expectRefusal(await exchange.read(relation), 'IEO_NOT_ACTIVE');
    expect((await exchange.page(owns(relation))).total).toBe(1);
  });

  test('sees device data alone with the token of a wearable for everything', async () => {
    const by = await exchange.parties.newInstitution({ ieoType: 'WEARABLE' });
    const wearable = await exchange.related(
      { intents: ['EXPORT_DATA'], categories: ['*'] },
      { holder: use.holder, by },
    );
    expect(JSON.parse(await exchange.taken(owns(wearable), 'JSON')).records).toEqual([]);
  });

  test('does not submit', async () => {
    expectRefusal(await exchange.submit(owns(use), [measurement()]), 'INVALID_SIGNATURE');
  });

  test('accepts a signature once', async () => {
    const asked = exchange.query(exchange.signed(owns(use), 'readRecords'));
    expect((await service.get(asked)).status).toBe(200);
    expectRefusal(await service.get(asked), 'NONCE_REUSED');
  });
});

describe('the holder’s key gives no access', () => {
  test('with a revoked or expired token, while locked, or to another holder', async () => {
    const relation = await exchange.related();
    const other = await exchange.related();
    for (const functionName of ['readRecords', 'lockBEO']) {
      const body = exchange.parties.sign(other.holder.person, functionName, {
        targetBeo: relation.holder.id,
        consentToken: relation.tokenId,
      });
      expectRefusal(await service.get(exchange.query(body)), 'INVALID_SIGNATURE');
    }
    expectRefusal(await exchange.read({ ...owns(other), tokenId: relation.tokenId }), 'NOT_TOKEN_OWNER');
    await exchange.parties.beo(relation.holder, 'lock', 'lockBEO');
    expectRefusal(await exchange.read(owns(relation)), 'BEO_LOCKED');
    await exchange.parties.beo(relation.holder, 'unlock', 'unlockBEO');
    await exchange.parties.revoke(relation.holder, relation.tokenId);
    expectRefusal(await exchange.read(owns(relation)), 'TOKEN_REVOKED');
  });

  test('after it was rotated', async () => {
    const relation = await exchange.related();
    const { person } = await exchange.parties.newHolder();
    await exchange.parties.beo(relation.holder, 'rotate-key', 'rotateKey', { newPublicKey: person.publicKey });
    expectRefusal(await exchange.read(owns(relation)), 'INVALID_SIGNATURE');
    expect((await exchange.read({ ...relation, by: { ...relation.holder, person } })).status).toBe(200);
  });
});
