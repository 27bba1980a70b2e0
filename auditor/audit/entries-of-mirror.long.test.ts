import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { restore } from '../../commands/restore/rebuild-database.ts';
import { clientOf } from '../../server/network/devnet/test-devnet.ts';
import { loadWallet } from '../../server/network/wallet.ts';
import { newPerson } from '../../server/testing/test-service.ts';
import { badGateway } from './test-bad-gateway.ts';
import { query, testOperator } from './test-operator.ts';
import { createForgingRelayer, type Written } from './test-relayer.ts';

/** Serves entries as a mirror does. */
const mirrorOf = (entries: readonly Written[]) =>
  badGateway(({ url = '' }, response) => {
    const after = Number(new URL(url, 'http://localhost').searchParams.get('after'));
    const lines = entries
      .filter(({ entry }) => entry.seq > after)
      .map(({ id, bytes, entry }) => `${JSON.stringify({ id, seq: entry.seq, item: bytes.toString('base64') })}\n`);
    return Boolean(response.end(lines.join('')));
  });

test('a restore takes the entries of a mirror up to the first that fails a check or does not continue the ledger, and names it', async () => {
  const operator = await testOperator();
  const { devnet, dataDir } = operator;
  const relayer = createForgingRelayer({ client: clientOf(devnet), wallet: loadWallet(devnet.wallet) });
  writeFileSync(join(dataDir, 'relayer.key'), relayer.seed.toString('hex'));
  const { person, beoId, draft } = relayer.create('anna.bsp');
  await relayer.post([relayer.write(draft), relayer.write(relayer.act(person, beoId, 'lockBEO'))]);
  await devnet.mine();
  const good = relayer.write(relayer.act(person, beoId, 'unlockBEO'));
  const bad = relayer.write(relayer.act(newPerson(), beoId, 'lockBEO'));
  const later = relayer.write(relayer.create('bert.bsp').draft);

  const leftOut = 'Entry 4 of the mirror and those after it were left out:';
  const cases: [readonly Written[], string][] = [
    [[good, bad, later], `${leftOut} WRONG_SIGNER: It is signed by the key`],
    [[good, later], `${leftOut} It does not continue the ledger.`],
  ];
  for (const [entries, sentence] of cases) {
    const mirror = await mirrorOf(entries);
    const database = await operator.database();
    const restored = await operator.run((parts) => restore({ fromMirror: mirror.url }, parts), database);
    expect(restored.verdict, restored.text).toBe('clean');
    expect(restored.text).toContain('posted then too: 1');
    expect(restored.text).toContain(sentence);
    const rows = await query(database, 'SELECT seq::int, epoch FROM ledger_entries ORDER BY seq');
    expect(rows).toEqual([1, 2, 3, 4].map((seq) => ({ seq, epoch: seq === 4 ? 2 : 1 })));
  }
});
