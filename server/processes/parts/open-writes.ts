import type { LedgerRules } from '../../../protocol/signing/message.ts';
import { type Settling, startSettling } from '../../entities/settle-revocations.ts';
import { createLinks, type Links } from '../../features/guardians/follow-link.ts';
import { createGuardiansPlugIn } from '../../features/guardians/plug-in.ts';
import { createInstitutePlugIn } from '../../features/institute/plug-in.ts';
import { loadAddressHashKey } from '../../features/mail/address-hash-key.ts';
import { type AddressHashes, createAddressHashes } from '../../features/mail/address-hashes.ts';
import { createMailPlugIn } from '../../features/mail/plug-in.ts';
import { createRecordsPlugIn } from '../../features/records/plug-in.ts';
import { createRequestsPlugIn } from '../../features/requests/plug-in.ts';
import { createVaultPlugIn } from '../../features/vault/plug-in.ts';
import { createVault, type Vault } from '../../features/vault/vault.ts';
import { isOverBudget } from '../../ledger/budget.ts';
import { createRelayerSigner, type RelayerSigner } from '../../ledger/relayer-signer.ts';
import { checksHere, type SignatureChecks, startSignatureThread } from '../../platform/crypto/signature-checks.ts';
import { loadRelayerKeys } from '../../platform/data-folder/key-files.ts';
import type { Clock } from '../../platform/db/clock.ts';
import type { Closing } from '../../platform/process/closing.ts';
import { type PlugIn, partOf } from '../../write/plug-in.ts';
import { createQueue, type WriteQueue } from '../../write/queue.ts';
import { createBudgetPlugIn } from '../../write/spend-budget.ts';
import type { OpenParts, ServiceParts } from '../service.ts';
import type { Pools } from './open-pools.ts';

/** The write pipeline with its plug-ins. */
export interface Writes {
  readonly queue: WriteQueue;
  readonly plugIns: readonly PlugIn[];
  readonly signatures: SignatureChecks;
  readonly settling: Settling;
  readonly relayer: RelayerSigner;
  readonly vault: Vault;
  readonly links: Links;
  readonly addressHashes: AddressHashes;
  /** The number of entries that are not posted yet, as the upkeep last counted it. */
  readonly backlog: { entries: number };
}

type Given = Pick<OpenParts, 'pools' | 'ledger' | 'sources' | 'observers' | 'clock' | 'changes'>;

export async function openWrites(service: ServiceParts, given: Given, closing: Closing): Promise<Writes> {
  const { config, log } = service;
  const { pools, ledger, sources, observers, clock, changes } = given;
  const { vaultKey } = ledger;
  const vault = createVault(vaultKey);
  const hashKey = await loadAddressHashKey(pools.pool, { vaultKey, relayerKey: ledger.relayer.privateKey });
  const addressHashes = createAddressHashes(hashKey);
  const links = createLinks(pools.pool, ledger.head.epoch);
  const relayer = createRelayerSigner(
    () => loadRelayerKeys(config),
    (key, isFound) => {
      if (isFound) log.warn({ key }, 'another key signs the ledger');
      else log.error({ key }, 'the key of the ledger is missing');
    },
  );
  const signatures = service.signatureThread
    ? startSignatureThread((error) => log.error({ err: error }, 'signatures are checked in the serving thread'))
    : checksHere();
  closing.add('the signature checks', signatures.close);
  const settling = startSettling(pools.pool, (error) =>
    log.warn({ err: error }, 'revocations are not settled and are retried'),
  );
  closing.add('the settling of revocations', settling.stop);
  const backlog = { entries: 0 };
  const budget = createBudgetPlugIn({
    now: clock.now,
    isTight: () => backlog.entries >= config.MAX_BACKLOG,
    isOver: (current) => isOverBudget(config, current, backlog.entries, clock.now()),
  });
  const plugIns = [
    budget,
    ...createPlugIns(service, pools, {
      ...{ vault, links, addressHashes, signatures },
      ...{ now: clock.now, ledgerId: ledger.head.ledgerId },
    }),
  ];
  const queue = createQueue({
    pool: pools.reservePool,
    clock,
    plugIns: plugIns as readonly PlugIn[],
    fence: sources.fence,
    settled: sources.questions.settled,
    onDatabaseLost: sources.questions.ask,
    signerOf: ({ relayerPublicKey }) => relayer.with(relayerPublicKey).items,
    onUnexpected: (error) => log.error({ err: error }, 'an operation failed unexpectedly'),
    tracing: observers.tracing,
    onBatch(batch) {
      observers.metrics.committed(batch);
      changes.notify();
    },
    onConsentsEnded: settling.wake,
    onHeadLocked: observers.metrics.headLocked,
  });
  closing.add('the write queue', queue.idle);
  return {
    queue,
    plugIns: plugIns as readonly PlugIn[],
    signatures,
    settling,
    relayer,
    vault,
    links,
    addressHashes,
    backlog,
  };
}

/** The plug-ins of the write pipeline. The vault comes first: the rows of the others are encrypted under its keys. */
function createPlugIns(
  { config, publicUrl }: ServiceParts,
  { pool, reservePool }: Pools,
  parts: Pick<Writes, 'vault' | 'links' | 'addressHashes' | 'signatures'> &
    Pick<Clock, 'now'> &
    Pick<LedgerRules, 'ledgerId'>,
): readonly PlugIn[] {
  const { vault, links, addressHashes, now } = parts;
  const vaultPlugIn = createVaultPlugIn(
    vault,
    {
      beo: config.MAX_BYTES_PER_BEO,
      ieo: config.MAX_BYTES_PER_IEO,
      service: config.MAX_STORED_BYTES,
    },
    now,
  );
  const guardians = createGuardiansPlugIn({ pool: reservePool, now, publicUrl, newToken: links.newToken });
  const ciphertextOnNetwork = config.RECORDS_ON_NETWORK === 'ciphertext';
  const records = createRecordsPlugIn({ pool, vault, vaultPlugIn, ciphertextOnNetwork });
  const mail = createMailPlugIn({
    enabled: config.SMTP_URL !== undefined,
    source: addressHashes.source,
    invitationsOf: (submission) => partOf(guardians, submission)?.invited ?? [],
  });
  return [
    vaultPlugIn,
    guardians,
    records,
    mail,
    createInstitutePlugIn(),
    createRequestsPlugIn(parts),
  ] as readonly PlugIn[];
}
