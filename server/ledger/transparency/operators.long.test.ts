import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readLogList } from '../../../auditor/witness/log-list.ts';
import { startWitness } from '../../../auditor/witness/start-witness.ts';
import { ledgerIdOf } from '../../../protocol/ids.ts';
import { publicKeyOf } from '../../../protocol/signing/ed25519.ts';
import { originOf } from '../../../protocol/transparency/ledger-log.ts';
import { acceptCheckpoint } from '../../../protocol/transparency/test-second-implementation.ts';
import { formatVerifierKey, newVerifierKey } from '../../../protocol/transparency/verifier-key.ts';
import { accepted } from '../../testing/test-load.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';

/** An operator with the keys of a service and a directory for a witness. */
function newOperator(name: string) {
  const directory = mkdtempSync(join(tmpdir(), `perpetua-test-${process.pid}-`));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const keyOf = (file: string) => {
    const seed = randomBytes(32);
    writeFileSync(join(directory, file), seed.toString('hex'), { mode: 0o600 });
    return publicKeyOf(seed);
  };
  const [relayer, checkpoint] = [keyOf('relayer.key'), keyOf('checkpoint.key')];
  return {
    name,
    directory,
    logKey: formatVerifierKey(newVerifierKey(originOf(ledgerIdOf(relayer)), 1, checkpoint)),
    env: {
      RELAYER_KEY_FILE: join(directory, 'relayer.key'),
      CHECKPOINT_KEY_FILE: join(directory, 'checkpoint.key'),
      BUNDLE_MAX_AGE_MS: '50',
      DEVNET_BLOCK_MS: '25',
    },
  };
}

type Operator = ReturnType<typeof newOperator>;

async function witnessOf({ name, directory }: Operator, logKey: string) {
  const quiet = { warn: () => undefined, error: () => undefined };
  const logs = readLogList([logKey]);
  const options = { name, logs, directory: join(directory, 'witness'), host: '127.0.0.1', port: 0 };
  const witness = await startWitness(options, quiet);
  onTestFinished(() => witness.stop());
  return { vkey: witness.vkey, setting: `http://127.0.0.1:${witness.port} ${witness.vkey}` };
}

async function serviceOf({ env }: Operator, WITNESSES: string): Promise<TestService> {
  const service = await startTestService({ ...env, WITNESSES });
  onTestFinished(() => service.stop());
  return service;
}

test('two operators witness each other', async () => {
  const [a, b] = [newOperator('a.example/witness'), newOperator('b.example/witness')];
  const [witnessOfA, witnessOfB] = await Promise.all([witnessOf(a, b.logKey), witnessOf(b, a.logKey)]);
  const services = [
    { service: await serviceOf(a, witnessOfB.setting), operator: a, witness: witnessOfB },
    { service: await serviceOf(b, witnessOfA.setting), operator: b, witness: witnessOfA },
  ];
  for (const { service, operator, witness } of services) {
    await accepted(service, 3);
    const cosigned = async () => {
      const bytes = Buffer.from(await (await fetch(`${service.url}/tlog/checkpoint`)).arrayBuffer());
      return Number(acceptCheckpoint(bytes, operator.logKey, [witness.vkey], 1)?.size ?? -1);
    };
    await expect.poll(cosigned, { interval: 100 }).toBe(3);
    expect((await service.get('/ready')).body.witnesses).toEqual({ ok: true, cosigned: 1, of: 1 });
  }
});
