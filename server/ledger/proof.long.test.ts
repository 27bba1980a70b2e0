import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkProof, STEPS } from '../../protocol/ledger/check-proof.ts';
import { BEGIN_EPOCH } from '../../protocol/ledger/epoch.ts';
import type { Proof } from '../../protocol/ledger/proof.ts';
import { COMMIT_RELAYER_KEY, ROTATE_RELAYER_KEY } from '../../protocol/ledger/relayer-keys.ts';
import { type AnyOperation, OPERATIONS } from '../../protocol/operations.ts';
import type { Json } from '../../protocol/signing/canonical-json.ts';
import { freshDomain, newPerson, startTestService, type TestService } from '../testing/test-service.ts';
import type { Draft } from './chain.ts';
import { readProof } from './proof.ts';
import { checkResults, holds, newForgingRelayer, runScript, SCRIPT } from './test-proofs.ts';

let product: TestService;
let relayer: string;
/** A lock, the second of four entries. */
let proof: Proof;
let ids: string[];

beforeAll(async () => {
  product = await startTestService();
  relayer = (await product.get('/api/ledger')).body.relayer_public_key;
  const person = newPerson();
  const created = await product.post(
    '/api/relayer/beo',
    person.sign('createBEO', { domain: freshDomain(), publicKey: person.publicKey, recovery: null }),
  );
  const beoId = created.body.beo_id;
  const guardian = { name: 'A friend', contact: 'friend@example.org', role: 'primary' };
  const answers = [
    created,
    await product.post('/api/relayer/beo/lock', person.sign('lockBEO', { beoId })),
    await product.post('/api/relayer/beo/unlock', person.sign('unlockBEO', { beoId })),
    await product.post('/api/guardian/invite', person.sign('inviteGuardian', { beoId, ...guardian })),
  ];
  ids = answers.map(({ body }) => body.transactionId);
  proof = await read(1);
});

afterAll(() => product.stop());

const read = (index: number) => readProof(product.service.context, ids[index] ?? '');

describe('the proof of an operation', () => {
  test('passes every step in the browser and in the script', async () => {
    expect(Object.keys(checkResults(proof))).toEqual(STEPS);
    expect(new Set(Object.values(checkResults(proof)))).toEqual(new Set(['good']));
    const { status, text } = await runScript(proof, relayer);
    expect({ status, failed: text.match(/^FAIL.*/gm) }).toEqual({ status: 0, failed: null });
    expect(text).toContain('"function":"lockBEO"');
    expect(text).toContain('2 entries follow it in one chain, to 4 of 4');
  });

  test('ends in the script with a one-line verdict, also if the file is not a proof', async () => {
    const verdict = async (...run: Parameters<typeof runScript>) => {
      const { status, text } = await runScript(...run);
      return [status, text.trimEnd().split('\n').at(-1)];
    };
    const invalid = [1, 'NOT VALID: do not rely on this proof.'];
    const valid = /^VALID: every step passed\. Not checked here: http.+\(\w+\) contains this item\./;
    expect(await verdict(proof, relayer)).toEqual([0, expect.stringMatching(valid)]);
    expect(await verdict(proof)).toEqual([
      0,
      expect.stringMatching(/ Compare the relayer key with the one you hold\.$/),
    ]);
    expect(await verdict(proof, newForgingRelayer().publicKey)).toEqual(invalid);
    expect(await verdict({ ...proof, item: 'AA==' }, relayer)).toEqual(invalid);
    expect(await verdict({})).toEqual(invalid);
  });

  test('is asked for by the script if it is started without one', () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [SCRIPT], { encoding: 'utf8' });
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^Usage: node check-proof\.mjs FILE/);
  });

  test('reports the first entry as first and the newest as newest', async () => {
    const [first, newest] = [await read(0), await read(3)];
    expect(checkResults(first)).toMatchObject({ before: 'first', after: 'good', head: 'good' });
    expect(checkResults(newest)).toMatchObject({ before: 'good', after: 'newest', head: 'good' });
    expect([await runScript(first, relayer), await runScript(newest, relayer)]).toMatchObject([
      { status: 0, text: expect.stringContaining('3 entries follow it') },
      { status: 0, text: expect.stringContaining('it is the newest entry: none follows yet') },
    ]);
    expect([...checkProof(newest)].find(({ name }) => name === 'after')?.verdict).toBe('unchecked');
  });

  test('reports a sealed operation without a signature check and shows its digest', async () => {
    const sealed = await read(3);
    expect(checkResults(sealed)).toMatchObject({ person: 'sealed' });
    expect((await runScript(sealed)).text).toMatch(/^ok {3}sealed: [0-9a-f]{64} is the SHA-256/m);
    expect(JSON.stringify(sealed)).not.toContain(Buffer.from('A friend').toString('base64').slice(0, 9));
  });

  test('is refused for an unknown transaction', async () => {
    await expect(readProof(product.service.context, 'x'.repeat(43))).rejects.toMatchObject({
      code: 'TRANSACTION_NOT_FOUND',
    });
  });

  test('is rejected if another relayer key is expected', async () => {
    const { status, text } = await runScript(proof, newForgingRelayer().publicKey);
    expect(status).toBe(1);
    expect(text).toMatch(/^FAIL the relayer key/m);
  });

  test('is rejected by browser and script if any value is changed', async () => {
    const paths = pathsOf(proof).filter(([first]) => first !== 'network');
    expect(paths.length).toBeGreaterThan(18);
    for (const path of paths) {
      const tampered = changed(proof, path) as Proof;
      const where = path.join('.');
      expect(holds(tampered), `${where}, in the browser`).toBe(false);
      expect((await runScript(tampered, relayer)).status, `${where}, in the script`).toBe(1);
    }
  });

  test('is rejected if entries of the chain are removed, cut off or swapped', async () => {
    const [first, second] = proof.after;
    if (!first || !second) throw new Error('The proof should have two links.');
    for (const after of [[second], [first], [second, first], [], [first, second, second]]) {
      const tampered = { ...proof, after };
      expect(holds(tampered)).toBe(false);
      expect((await runScript(tampered, relayer)).status).toBe(1);
    }
    expect(holds({ ...proof, before: null })).toBe(false);
    expect((await runScript({ ...proof, before: null }, relayer)).status).toBe(1);
    const isFirst = {
      ...(await read(0)),
      before: proof.before && { ...proof.before, tags: proof.after[0]?.tags ?? '' },
    };
    expect([holds(isFirst), (await runScript(isFirst, relayer)).status]).toEqual([false, 1]);
  });

  test('is rejected with another operation’s item or head', async () => {
    const other = await read(2);
    for (const tampered of [
      { ...proof, item: other.item },
      { ...proof, item: other.item, id: other.id },
      { ...proof, head: { ...proof.head, seq: 3 } },
    ]) {
      expect(holds(tampered)).toBe(false);
      expect((await runScript(tampered, relayer)).status).toBe(1);
    }
  });

  test('is rejected if any byte of its item is changed', () => {
    const item = Buffer.from(proof.item, 'base64');
    for (let at = 0; at < item.length; at += 7) {
      const altered = Buffer.from(item);
      altered[at] = (altered[at] ?? 0) ^ 1;
      expect(holds({ ...proof, item: altered.toString('base64') }), `byte ${at}`).toBe(false);
    }
  });
});

const OF_THE_RELAYER: readonly string[] = [BEGIN_EPOCH, COMMIT_RELAYER_KEY, ROTATE_RELAYER_KEY];

describe('an entry without a public signature is accepted only if its operation allows it', () => {
  const hex = 'ab'.repeat(32);
  const functions = [...new Set(OPERATIONS.map((operation) => operation.function))];
  const hasOperation = (name: string, matches: (operation: AnyOperation) => boolean) =>
    OPERATIONS.some((operation) => operation.function === name && matches(operation));

  test.each(functions)('%s, sealed', async (name) => {
    const draft = {
      function: name,
      entity_id: 'entity',
      signer: hex,
      signature: null,
      sealed: hex,
      public: {},
    } as Draft;
    const proof = newForgingRelayer().proofOf([draft], 0);
    const allowed = hasOperation(name, ({ sealed }) => sealed !== undefined);
    expect(holds(proof)).toBe(allowed);
    expect((await runScript(proof)).status).toBe(allowed ? 0 : 1);
  });

  test.each([...functions, ...OF_THE_RELAYER])('%s, unsigned', async (name) => {
    const message = { function: name };
    const draft = { function: name, entity_id: 'entity', signer: null, signature: null, message } as Draft;
    const proof = newForgingRelayer().proofOf([draft], 0);
    const allowed = OF_THE_RELAYER.includes(name) || hasOperation(name, ({ signer }) => signer === 'institute');
    expect(holds(proof)).toBe(allowed);
    expect((await runScript(proof)).status).toBe(allowed ? 0 : 1);
  });
});

type Path = readonly (string | number)[];

/** The paths of all strings and numbers in a value. */
function pathsOf(value: unknown, at: Path = []): Path[] {
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).flatMap(([name, part]) => pathsOf(part, [...at, name]));
  }
  return value === null ? [] : [at];
}

/** A copy with a minimal change at a path. */
function changed(value: unknown, [name, ...rest]: Path): unknown {
  if (name === undefined) return typeof value === 'number' ? value + 1 : flipped(String(value));
  const copy = structuredClone(value) as Record<string, Json>;
  return Object.assign(copy, { [name]: changed(copy[name], rest) });
}

function flipped(text: string): string {
  const at = Math.floor(text.length / 2);
  return `${text.slice(0, at)}${text[at] === '1' ? '2' : '1'}${text.slice(at + 1)}`;
}
