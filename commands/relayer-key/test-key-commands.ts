import { join } from 'node:path';
import { builtWorker } from '../../auditor/audit/test-worker.ts';
import type { CommandParts } from '../../auditor/audit/verify.ts';
import { readKeyPair } from '../../server/platform/data-folder/key-files.ts';
import type { TestService } from '../../server/testing/test-service.ts';
import { commitKey, type Rotation, rotateKey } from './change.ts';
import { createKeyFile, readDigest } from './digest.ts';

type Command = (parts: CommandParts) => Promise<unknown>;

export const rotate =
  (rotation: Rotation): Command =>
  (parts) =>
    rotateKey(rotation, parts);

export const commit =
  (digest: string): Command =>
  (parts) =>
    commitKey(digest, parts);

/** The public key of a key file, hex. */
export const hexOf = (path: string): string => readKeyPair(path)?.publicKey.toString('hex') ?? 'none';

export interface NewKey {
  readonly path: string;
  /** The digest with its check digits. */
  readonly text: string;
  readonly digest: string;
  readonly publicKey: string;
}

/** Runs commands beside a running service, with its settings. */
export function keyCommandsBeside(product: () => TestService) {
  const file = (name: string): string => join(product().dataDir, name);

  async function run(
    command: Command,
    env: Record<string, string> = {},
  ): Promise<{ readonly result: unknown; readonly text: string }> {
    const steps: (() => Promise<unknown>)[] = [];
    const lines: string[] = [];
    try {
      const result = await command({
        env: {
          DATA_DIR: product().dataDir,
          DATABASE_URL: product().databaseUrl,
          ARWEAVE_GATEWAY_URL: product().gatewayUrl,
          ARWEAVE_WALLET_FILE: file('devnet/wallet.json'),
          ...env,
        },
        progress: { at: () => undefined, end: () => undefined },
        print: (line) => lines.push(line),
        note: (line) => lines.push(line),
        addStep: (_, step) => steps.push(step),
        workerFile: await builtWorker('check.worker'),
      });
      return { result, text: lines.join('\n') };
    } finally {
      for (const step of steps.reverse()) await step();
    }
  }

  return {
    /** A file in the data directory. */
    file,
    run,
    /** What a command that fails reports. */
    failureOf: (command: Command, env?: Record<string, string>): Promise<string> =>
      run(command, env).then(
        () => 'it succeeded',
        (error: Error) => error.message,
      ),
    /** A new key outside the data directory, as on another machine. */
    newKey(): NewKey {
      const path = file(`elsewhere-${Math.random().toString(36).slice(2)}`);
      const text = createKeyFile(path);
      return { path, text, digest: readDigest(text), publicKey: hexOf(path) };
    },
  };
}
