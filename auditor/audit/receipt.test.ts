import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { freshDomain, newPerson, startTestService } from '../../server/testing/test-service.ts';

/** The script in docs/audit.md. */
function receiptScript(): string {
  const document = readFileSync(new URL('../../docs/audit.md', import.meta.url), 'utf8');
  const code = /```js\n([\s\S]*?)```/.exec(document)?.[1];
  if (!code) throw new Error('docs/audit.md contains no script.');
  const directory = mkdtempSync(join(tmpdir(), 'perpetua-receipt-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const path = join(directory, 'check-receipt.mjs');
  writeFileSync(path, code);
  return path;
}

test('the documented script accepts a receipt and rejects a changed one', async () => {
  const service = await startTestService();
  onTestFinished(service.stop);
  const person = newPerson();
  const domain = freshDomain();
  const fields = { domain, publicKey: person.publicKey, recovery: null };
  const { body } = await service.post('/api/relayer/beo', person.sign('createBEO', fields));
  const { body: ledger } = await service.get('/api/ledger');
  const script = receiptScript();
  const check = (receipt: string) =>
    execFileSync(process.execPath, [script, ledger.relayer_public_key], { input: receipt, encoding: 'utf8' });

  const valid = check(body.receipt);
  expect(valid).toContain(`id ${body.transactionId}`);
  expect(valid).toContain('relayer signature true');
  expect(valid).toContain('anchor true');
  expect(valid).toContain('user signature true');

  const bytes = Buffer.from(body.receipt, 'base64');
  bytes.write(domain.replace('p', 'q'), bytes.lastIndexOf(domain));
  const changed = check(bytes.toString('base64'));
  expect(changed).toContain('relayer signature false');
});
