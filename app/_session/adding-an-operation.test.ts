import { readFileSync } from 'node:fs';
import { hexToBytes } from '@noble/hashes/utils.js';
import { afterAll, describe, expect, test, vi } from 'vitest';

// The row comes first, so that every other module finds it in the table. No other test file may find it there.
vi.resetModules();
await import('../../server/write/test-renew-beo.ts');
afterAll(() => vi.resetModules());

const { testOperator, query, act } = await import('../../auditor/audit/test-operator.ts');
const { restore } = await import('../../commands/restore/rebuild-database.ts');
const { verify } = await import('../../auditor/audit/verify.ts');
const { createRequestListener } = await import('../../server/http/request-listener.ts');
const { createHttpServer } = await import('../../server/http/http-server.ts');
const { createSite } = await import('./site.ts');
const { keyFromSeed } = await import('../../client/keys.ts');
const { freshDomain, newPerson } = await import('../../server/testing/test-service.ts');

const SOURCE = new URL('../../server/write/test-renew-beo.ts', import.meta.url);
const DOCUMENT = new URL('../../docs/adding-an-operation.md', import.meta.url);

describe('an operation that is one file and one row of the table', () => {
  test('is the example of the document', () => {
    const [, example = ''] = /```ts\n([\s\S]*?)```/.exec(readFileSync(DOCUMENT, 'utf8')) ?? [];
    const definition = (text: string) => text.slice(text.indexOf('export const'), text.indexOf('});\n') + 4);
    expect(definition(example)).toBe(definition(readFileSync(SOURCE, 'utf8')));
  });

  test('works through REST, tRPC, browser signing, the ledger, verify and restore', async () => {
    const operator = await testOperator({ worker: 'test-renew-beo-thread' });
    const databaseUrl = await operator.database();
    const service = await operator.serve(databaseUrl);
    const { context } = service;
    const server = createHttpServer(context.config, context.securityEvents);
    server.on('request', createRequestListener(context, null));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    const url = `http://127.0.0.1:${port}`;
    const send = async (path: string, body: unknown) => {
      const headers = { 'content-type': 'application/json' };
      const response = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
      return { status: response.status, body: await response.json() };
    };

    const person = newPerson();
    const created = await act(service, person, 'createBEO', {
      domain: freshDomain(),
      publicKey: person.publicKey,
      recovery: null,
    });
    const beoId = created.body.beo_id as string;
    const seed = hexToBytes(
      Buffer.from(String(person.privateKey.export({ format: 'jwk' }).d), 'base64url').toString('hex'),
    );
    const { ledger_id: ledgerId } = await (await fetch(`${url}/api/ledger`)).json();
    const { sign } = createSite({ url, trusted: { ledgerId, head: null } });
    const signed = () => sign(keyFromSeed(seed), 'renewBEO', { beoId });

    const rest = await send('/api/relayer/beo/renew', await signed());
    expect([rest.status, typeof rest.body.renewed_at]).toEqual([200, 'string']);
    const trpc = await send('/api/trpc/operate', { function: 'renewBEO', body: await signed() });
    expect(trpc.status).toBe(200);
    const renewedAt: string = trpc.body.result.data.renewed_at;
    const refused = await send('/api/relayer/beo/renew', { ...(await signed()), beoId: created.body.domain });
    expect(refused.body).toMatchObject({ code: 'INVALID_SIGNATURE', details: { expected_key: 'BEO' } });
    const read = await (await fetch(`${url}/api/transactions/${rest.body.transactionId}`)).json();
    expect(read).toMatchObject({ transaction: { function: 'renewBEO' } });

    await operator.settle(databaseUrl);
    const audit = await operator.run((parts) => verify({}, parts), databaseUrl);
    expect(audit.verdict, audit.text).toBe('clean');
    await new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    });
    await service.stop();

    const second = await operator.database();
    const restored = await operator.run((parts) => restore({}, parts), second);
    expect(restored.verdict, restored.text).toBe('clean');
    const updated = 'SELECT updated_at FROM beos WHERE id = $1';
    const [beo] = await query<{ updated_at: Date }>(second, updated, [beoId]);
    expect(beo?.updated_at.toISOString()).toBe(renewedAt);
  });
});
