import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ledgerIdOf } from '../../protocol/ids.ts';
import { clientOf } from '../embedded/devnet/test-devnet.ts';
import { loadWallet } from '../network/wallet.ts';
import { restore } from './restore.ts';
import { forgedLedger, found } from './test-audit.ts';
import { refusalOf } from './test-dealings.ts';
import { act, guardians, newHolder, operatorHouse } from './test-ground.ts';
import { createScribe } from './test-scribe.ts';
import { verify } from './verify.ts';

const FOREIGN = ledgerIdOf('ab'.repeat(32));

describe('an operation that names a ledger', () => {
  test('is in order where it names this one, in either case', async () => {
    const { scribe, publish, audit } = await forgedLedger();
    const { person, beoId, draft } = scribe.create('anna.bsp');
    await publish([
      scribe.write(draft),
      scribe.write(scribe.act(person, beoId, 'lockBEO', { ledgerId: scribe.ledgerId })),
      scribe.write(scribe.act(person, beoId, 'unlockBEO', { ledgerId: scribe.ledgerId.toUpperCase() })),
    ]);
    const result = await audit();
    expect(found(result)).toEqual([]);
    expect(result.network.verifiedSignatures).toBe(3);
  });

  test('is a breach where it was signed for another one, or for none that there can be', async () => {
    const { scribe, publish, audit } = await forgedLedger();
    const { person, beoId, draft } = scribe.create('anna.bsp');
    const items = [
      scribe.write(draft),
      scribe.write(scribe.act(person, beoId, 'lockBEO', { ledgerId: FOREIGN })),
      scribe.write(scribe.act(person, beoId, 'lockBEO', { ledgerId: 7 })),
    ];
    await publish(items);
    const result = await audit();
    expect(found(result)).toEqual(items.slice(1).map(({ id }, index) => ({ kind: 'MESSAGE', seq: index + 2, id })));
    expect(result.findings.examples(1)[0]?.sentence).toContain('is signed for another ledger');
  });
});

describe('a ledger whose operations name it', () => {
  test('is verified and restored, sealed operations included, and goes on under the same id', async () => {
    const house = await operatorHouse();
    const lost = await house.database();
    const service = await house.serve(lost);
    const { ledgerId } = service.context;
    const { person, beoId } = await newHolder(service);
    await act(service, person, 'lockBEO', { beoId, ledgerId });
    await act(service, person, 'unlockBEO', { beoId, ledgerId });
    await act(service, person, 'inviteGuardian', { beoId, ledgerId, ...guardians[0] });
    await house.settle(lost);
    await service.stop();
    expect((await house.run((parts) => verify({}, parts), lost)).text).toContain('No breach was found');
    const found = await house.database();
    expect((await house.run((parts) => restore({}, parts), found)).inOrder).toBe(true);
    const again = await house.serve(found);
    expect(again.context.ledgerId).toBe(ledgerId);
    await act(again, person, 'lockBEO', { beoId, ledgerId });
    expect(await refusalOf(act(again, person, 'unlockBEO', { beoId, ledgerId: FOREIGN }))).toBe('WRONG_LEDGER');
  });

  test('is not restored where one of them was signed for another', async () => {
    const house = await operatorHouse();
    const seed = randomBytes(32);
    writeFileSync(join(house.dataDir, 'relayer.key'), `${seed.toString('hex')}\n`, { mode: 0o600 });
    const wallet = loadWallet(house.devnet.wallet);
    const scribe = createScribe({ client: clientOf(house.devnet), wallet }, seed);
    const { person, beoId, draft } = scribe.create('anna.bsp');
    const lock = scribe.act(person, beoId, 'lockBEO', { ledgerId: FOREIGN });
    await scribe.post([scribe.write(draft), scribe.write(lock)]);
    await house.devnet.mine();
    const { inOrder, text } = await house.run((parts) => restore({}, parts), await house.database());
    expect(inOrder).toBe(false);
    expect(text).toContain('is signed for another ledger');
  });
});
