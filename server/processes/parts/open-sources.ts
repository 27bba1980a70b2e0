import { createSourceQuestions, type SourceQuestions } from '../../ledger/ask-sources.ts';
import { type Fence, openFence } from '../../ledger/fence.ts';
import { createKnownKeys } from '../../ledger/known-keys.ts';
import { mirrorHead } from '../../ledger/mirror-head.ts';
import { networkHead } from '../../ledger/network-head.ts';
import { type LogIdentity, logIdentity } from '../../ledger/transparency/log-identity.ts';
import { signedTreeHead, witnessedHeads } from '../../ledger/transparency/tree-heads.ts';
import type { ArweaveClient } from '../../network/arweave-client.ts';
import { createGateways } from '../../network/gateways.ts';
import type { Closing } from '../../platform/process/closing.ts';
import type { ServiceParts } from '../service.ts';
import type { Pools } from './open-pools.ts';
import type { ServiceLedger } from './open-service-ledger.ts';

/** What refuses writes if the database lost operations, and where the service asks for them. */
export interface Sources {
  readonly fence: Fence;
  readonly questions: SourceQuestions;
  readonly arweave: ArweaveClient;
  /** Null if there is no key for checkpoints. */
  readonly transparencyLog: LogIdentity | null;
}

export async function openSources(
  { config, log, gateway }: ServiceParts,
  { pool, whenLost }: Pools,
  { head: { ledgerId }, succession, checkpointKey }: ServiceLedger,
  closing: Closing,
): Promise<Sources> {
  const fence = await openFence(config.DATA_DIR, ledgerId, (problem) =>
    problem ? log.error({ problem }, 'writes are refused') : log.warn('writes are accepted again'),
  );
  closing.add('the record of the head', fence.record);
  await fence.check(pool);
  const knownKeys = createKnownKeys(pool, succession);
  const arweave = createGateways(gateway.urls);
  const transparencyLog = checkpointKey && logIdentity(ledgerId, checkpointKey, config.WITNESSES);
  if (!transparencyLog) log.warn('no checkpoints are published: set CHECKPOINT_KEY_FILE');
  const questions = createSourceQuestions(
    {
      fence,
      pool,
      sources: [
        signedTreeHead(pool),
        networkHead({ pool, client: arweave, wallet: gateway.wallet.address, knownKeys }),
        ...(transparencyLog ? witnessedHeads(transparencyLog) : []),
        ...config.MIRRORS.map((url) => mirrorHead(url, ledgerId, knownKeys)),
      ],
    },
    ({ source, reason }) => log.warn({ source, reason }, 'a source of later heads does not answer and is asked again'),
  );
  closing.add('the questions for later heads', questions.stop);
  whenLost(questions.ask);
  questions.ask();
  return { fence, questions, arweave, transparencyLog };
}
