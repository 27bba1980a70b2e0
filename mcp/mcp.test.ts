import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConsentRequest } from '../protocol/consent-request.ts';
import { startTestService, type TestService } from '../server/testing/test-service.ts';
import { type Parties, type Party, partiesOf } from '../server/write/test-parties.ts';

let service: TestService;
let parties: Parties;
let holder: Party;
let clinic: Party;
let tokenId: string;

beforeAll(async () => {
  service = await startTestService({ MCP_TOOLS: 'requests' });
  parties = partiesOf(service);
  holder = await parties.newHolder();
  clinic = await parties.newInstitution({ displayName: 'Hospital Aurora' });
  tokenId = (await parties.granted(holder, clinic.id)).token_id;
});
afterAll(() => service.stop());

const TRANSPORTS = {
  stdio: (requests: boolean) =>
    new StdioClientTransport({
      command: process.execPath,
      args: ['server/launch/run.mjs', 'mcp-stdio'],
      env: { PATH: process.env.PATH ?? '', PERPETUA_URL: service.url, PERPETUA_MCP_REQUESTS: `${requests}` },
    }),
  HTTP: () => new StreamableHTTPClientTransport(new URL('/mcp', service.url)),
};

async function connected(transport: keyof typeof TRANSPORTS, requests = true): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(TRANSPORTS[transport](requests));
  return client;
}

const READING = [
  'bsp_resolve_beo',
  'bsp_get_beo_summary',
  'bsp_consent_history',
  'bsp_verify_consent',
  'bsp_resolve_ieo',
  'bsp_list_ieos',
  'bsp_list_categories',
  'bsp_resolve_biomarker',
  'bsp_transaction_status',
  'bsp_entry_proof',
  'bsp_ledger',
];
const ASKING = [
  'bsp_lock_beo',
  'bsp_unlock_beo',
  'bsp_revoke_all_tokens',
  'bsp_revoke_token',
  'bsp_cancel_recovery',
  'bsp_grant_consent',
  'bsp_destroy_beo',
];

describe.each(['stdio', 'HTTP'] as const)('the official client over %s', (transport) => {
  let client: Client;

  beforeAll(async () => {
    client = await connected(transport);
  });
  afterAll(() => client.close());

  // biome-ignore lint/suspicious/noExplicitAny: tools return objects of every shape
  async function call(name: string, args: Record<string, unknown> = {}): Promise<any> {
    const result = await client.callTool({ name, arguments: args });
    const [content] = result.content as { text: string }[];
    const said = JSON.parse(content?.text ?? '');
    if (!result.isError) expect(result.structuredContent).toEqual(said);
    return result.isError ? { failed: said } : said;
  }

  test('lists the tools', async () => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([...READING, ...ASKING]);
    for (const { description, annotations } of tools) {
      expect(description).toMatch(/\.$/);
      expect(annotations).toMatchObject({ readOnlyHint: true, destructiveHint: false });
    }
  });

  test('resolves identities and institutions as the API does', async () => {
    const { body } = await service.get(`/api/beos/${holder.id}`);
    const status = expect.stringMatching(/^(ACCEPTED|POSTED|CONFIRMED|FINAL)$/);
    expect(await call('bsp_resolve_beo', { beo: holder.domain })).toEqual({
      beo: { ...body.beo, ledger: { ...body.beo.ledger, status } },
    });
    expect(await call('bsp_resolve_ieo', { ieo: clinic.id })).toMatchObject({
      ieo: { domain: clinic.domain },
      certification: { certified: false },
    });
    expect((await call('bsp_list_ieos', { name: 'auro' })).ieos).toMatchObject([{ ieo_id: clinic.id }]);
    expect((await call('bsp_list_ieos', { type: 'HOSPITAL', limit: 1 })).count).toBe(1);
    expect((await call('bsp_list_ieos', { type: 'LAB' })).ieos).toEqual([]);
  });

  test('verifies a consent and lists the history', async () => {
    expect(await call('bsp_verify_consent', { token_id: tokenId, intent: 'READ_RECORDS' })).toMatchObject({
      valid: true,
    });
    expect(await call('bsp_verify_consent', { token_id: tokenId, intent: 'EXPORT_DATA' })).toMatchObject({
      valid: false,
      reason: 'INTENT_NOT_AUTHORIZED',
    });
    expect((await call('bsp_consent_history', { beo: holder.domain })).tokens).toMatchObject([{ token_id: tokenId }]);
    expect((await call('bsp_get_beo_summary', { beo: holder.domain })).consents).toEqual({
      total: 1,
      newest_by_status: { ACTIVE: 1 },
    });
  });

  test('follows an operation, also once it is in the tree', async () => {
    await expect.poll(async () => (await service.get(`/tlog/proof/${holder.transactionId}`)).status).toBe(200);
    const { transaction } = await call('bsp_transaction_status', { transaction_id: holder.transactionId });
    expect(transaction).toMatchObject({ id: holder.transactionId, function: 'createBEO' });
    expect(await call('bsp_entry_proof', { transaction_id: holder.transactionId })).toMatchObject({
      id: holder.transactionId,
      item: transaction.item,
    });
    expect((await call('bsp_ledger')).network).toMatchObject({ kind: 'devnet', permanent: false });
  });

  test('looks up biomarkers', async () => {
    expect((await call('bsp_list_categories')).categories).toHaveLength(26);
    expect(await call('bsp_resolve_biomarker', { code: 'BSP-LA-001' })).toEqual({
      code: 'BSP-LA-001',
      name: 'Growth Differentiation Factor 11',
      is_listed: true,
      category: 'BSP-LA',
      level: 'CORE',
    });
    expect(await call('bsp_resolve_biomarker', { code: 'nonsense' })).toMatchObject({ failed: { code: 'NOT_FOUND' } });
  });

  test('reports errors of the API with their code', async () => {
    expect(await call('bsp_resolve_beo', { beo: 'no-such-person.bsp' })).toEqual({
      failed: { code: 'BEO_NOT_FOUND', error: 'There is no such identity.' },
    });
    for (const beo of ['../ieos', '..', 'a/b', '%2e%2e']) {
      expect((await call('bsp_resolve_beo', { beo })).failed.code).toMatch(/^(VALIDATION_FAILED|NOT_FOUND)$/);
    }
  });

  test('gets a link instead of a change', async () => {
    const { url } = await call('bsp_lock_beo', { beo: holder.domain });
    const link = new URL(url);
    expect([link.origin, link.pathname]).toEqual([new URL(service.service.context.publicUrl()).origin, '/me/asked']);
    expect(Object.fromEntries(link.searchParams)).toEqual({ ask: 'lockBEO', beo: holder.domain });
    expect((await service.get(`/api/beos/${holder.id}`)).body.beo.status).toBe('ACTIVE');
    const asked = {
      beo: holder.domain,
      ieo: clinic.domain,
      intents: ['READ_RECORDS'],
      categories: ['BSP-HM', 'BSP-CV'],
    };
    const wish = new URL((await call('bsp_grant_consent', { ...asked, purpose: 'A check-up.' })).url);
    expect([wish.origin, wish.pathname, wish.search]).toEqual([link.origin, '/ask', '']);
    expect(readConsentRequest(wish.hash.slice(1))).toMatchObject({
      signature: null,
      ieoId: clinic.domain,
      scope: { intents: ['READ_RECORDS'], categories: ['BSP-HM', 'BSP-CV'] },
      expiresInDays: null,
      purpose: 'A check-up.',
      once: holder.domain,
    });
    const refused = await call('bsp_grant_consent', { ...asked, ieo: '//evil.example' });
    expect(refused).toMatchObject({ failed: { code: 'VALIDATION_FAILED' } });
  });

  test('refuses arguments that a tool does not take', async () => {
    const result = await client.callTool({ name: 'bsp_resolve_beo', arguments: { beo: 'a.bsp', other: 1 } }).then(
      ({ isError }) => isError,
      () => true,
    );
    expect(result).toBe(true);
  });
});

test('by default the tools only read', async () => {
  const client = await connected('stdio', false);
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(READING);
  await client.close();
});

describe('/mcp', () => {
  const rpc = (body: unknown, init: RequestInit = {}, to = service) =>
    to.request('/mcp', {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: typeof body === 'string' ? body : JSON.stringify(body),
      ...init,
    });

  test('does not exist unless the operator enables it', async () => {
    const plain = await startTestService();
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    expect((await rpc(list, {}, plain)).body.code).toBe('NOT_FOUND');
    await plain.stop();
  });

  test.each([
    ['half a JSON', '{"jsonrpc":', 'INVALID_JSON'],
    ['a large body', JSON.stringify({ text: 'x'.repeat(70_000) }), 'BODY_TOO_LARGE'],
    ['deep nesting', '['.repeat(40) + ']'.repeat(40), 'VALIDATION_FAILED'],
  ])('refuses %s', async (_, body, code) => expect((await rpc(body)).body.code).toBe(code));

  /** Not through the test service: the document of the API does not describe JSON-RPC. */
  const list = (accept: string) =>
    fetch(`${service.url}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    });

  test.each(['*/*', 'application/*', 'application/json', '', 'text/html, */*;q=0.1'])(
    'answers a client that accepts %j in JSON',
    async (accept) => {
      const answer = await list(accept);
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json']);
      expect(await answer.json()).toMatchObject({
        id: 1,
        result: { tools: { length: READING.length + ASKING.length } },
      });
    },
  );

  test('refuses a client that does not accept JSON', async () => {
    expect((await list('text/html')).status).toBe(406);
  });

  test('refuses other methods', async () => {
    const answer = await service.get('/mcp');
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
  });

  const pings = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ jsonrpc: '2.0', id: index + 1, method: 'ping' }));

  test('refuses a request with more than 20 messages', async () => {
    for (const count of [21, 100]) {
      const { status, body } = await rpc(pings(count));
      expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED']);
    }
  });

  test('charges each message of a request to the limits of the client', async () => {
    const limited = await startTestService({ MCP_TOOLS: 'read', RATE_LIMIT: 'on' });
    const remainingAfter = async (messages: number) => {
      const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
      const body = JSON.stringify(pings(messages));
      const answer = await fetch(new URL('/mcp', limited.url), { method: 'POST', headers, body });
      return [answer.status, Number(/r=(\d+)/.exec(answer.headers.get('ratelimit') ?? '')?.[1])];
    };
    expect(await remainingAfter(20)).toEqual([200, 40]);
    expect(await remainingAfter(20)).toEqual([200, 20]);
    expect(await remainingAfter(19)).toEqual([200, 1]);
    expect(await remainingAfter(2)).toEqual([429, 0]);
    await limited.stop();
  });

  test('charges tools to the limits of the client', async () => {
    const limited = await startTestService({ MCP_TOOLS: 'read', RATE_LIMIT: 'on' });
    const client = new Client({ name: 'test', version: '1.0.0' });
    await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', limited.url)));
    const codes = new Set<string>();
    for (let calls = 0; calls < 40; calls++) {
      const answered = await client.callTool({ name: 'bsp_ledger', arguments: {} }).catch(() => null);
      const [content] = (answered?.content ?? []) as { text: string }[];
      codes.add(answered?.isError ? JSON.parse(content?.text ?? '').code : answered ? 'read' : 'refused');
    }
    expect([...codes]).toContain('read');
    expect([...codes].some((code) => code === 'RATE_LIMITED' || code === 'refused')).toBe(true);
    await limited.stop();
  });
});
