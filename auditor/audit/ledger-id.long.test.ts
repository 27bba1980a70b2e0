import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { restore } from '../../commands/restore/rebuild-database.ts';
import { ledgerIdOf } from '../../protocol/ids.ts';
import { clientOf } from '../../server/network/devnet/test-devnet.ts';
import { loadWallet } from '../../server/network/wallet.ts';
import { forgedLedger, found } from './test-forged-ledger.ts';
import { refusalOf } from './test-institutions.ts';
import { act, guardians, newHolder, testOperator } from './test-operator.ts';
import { createForgingRelayer } from './test-relayer.ts';
import { verify } from './verify.ts';

const FOREIGN = ledgerIdOf('ab'.repeat(32));

describe('an operation that names a ledger', () => {
  test('passes if it names this ledger, in upper or lower case', async () => {
    const { relayer, publish, audit } = await forgedLedger();
    const { person, beoId, draft } = relayer.create('anna.bsp');
    await publish([
      relayer.write(draft),
      relayer.write(relayer.act(person, beoId, 'lockBEO', { ledgerId: relayer.ledgerId })),
      relayer.write(relayer.act(person, beoId, 'unlockBEO', { ledgerId: relayer.ledgerId.toUpperCase() })),
    ]);
    const result = await audit();
    expect(found(result)).toEqual([]);
    expect(result.network.verifiedSignatures).toBe(3);
  });

  test('is a breach if it names another ledger or an invalid id', async () => {
    const { relayer, publish, audit } = await forgedLedger();
    const { person, beoId, draft } = relayer.create('anna.bsp');
    const items = [
      relayer.write(draft),
      relayer.write(relayer.act(person, beoId, 'lockBEO', { ledgerId: FOREIGN })),
      relayer.write(relayer.act(person, beoId, 'lockBEO', { ledgerId: 7 })),
    ];
    await publish(items);
    const result = await audit();
    expect(found(result)).toEqual(items.slice(1).map(({ id }, index) => ({ kind: 'MESSAGE', seq: index + 2, id })));
    expect(result.findings.examples(1)[0]?.sentence).toContain('is signed for another ledger');
  });
});

describe('a ledger with operations that name it', () => {
  test('can be verified and restored, including sealed operations, and keeps its id', async () => {
    const operator = await testOperator();
    const lost = await operator.database();
    const service = await operator.serve(lost);
    const { ledgerId } = service.context;
    const { person, beoId } = await newHolder(service);
    await act(service, person, 'lockBEO', { beoId, ledgerId });
    await act(service, person, 'unlockBEO', { beoId, ledgerId });
    await act(service, person, 'inviteGuardian', { beoId, ledgerId, ...guardians[0] });
    await operator.settle(lost);
    await service.stop();
    expect((await operator.run((parts) => verify({}, parts), lost)).text).toContain('No breach was found');
    const newDatabase = await operator.database();
    expect((await operator.run((parts) => restore({}, parts), newDatabase)).isClean).toBe(true);
    const restored = await operator.serve(newDatabase);
    expect(restored.context.ledgerId).toBe(ledgerId);
    await act(restored, person, 'lockBEO', { beoId, ledgerId });
    expect(await refusalOf(act(restored, person, 'unlockBEO', { beoId, ledgerId: FOREIGN }))).toBe('WRONG_LEDGER');
  });

  test('is not restored if an operation was signed for another ledger', async () => {
    const operator = await testOperator();
    const seed = randomBytes(32);
    writeFileSync(join(operator.dataDir, 'relayer.key'), `${seed.toString('hex')}\n`, { mode: 0o600 });
    const wallet = loadWallet(operator.devnet.wallet);
    const relayer = createForgingRelayer({ client: clientOf(operator.devnet), wallet }, seed);
    const { person, beoId, draft } = relayer.create('anna.bsp');
    const lock = relayer.act(person, beoId, 'lockBEO', { ledgerId: FOREIGN });
    await relayer.post([relayer.write(draft), relayer.write(lock)]);
    await operator.devnet.mine();
    const { isClean, text } = await operator.run((parts) => restore({}, parts), await operator.database());
    expect(isClean).toBe(false);
    expect(text).toContain('is signed for another ledger');
  });
});
