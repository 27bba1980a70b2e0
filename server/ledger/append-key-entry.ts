import type { ClientBase, Pool } from 'pg';
import { currentKey, extendSuccession, type KeyMessage, type Succession } from '../../protocol/ledger/relayer-keys.ts';
import type { Json } from '../../protocol/signing/canonical-json.ts';
import { isStrictPublicKeyNatively, verifyNatively } from '../platform/crypto/ed25519.ts';
import type { KeyPair } from '../platform/data-folder/key-files.ts';
import { runAll } from '../platform/db/statement.ts';
import { inTransaction } from '../platform/db/transaction.ts';
import { createItemSigner } from './ans104.ts';
import { headAfter, insertEntries, moveHead, replaceRelayerKey } from './append.ts';
import { type ChainedEntry, chain } from './chain.ts';
import type { Fence } from './fence.ts';
import type { Head } from './head.ts';
import { readSuccession } from './key-entries.ts';

export interface KeyEntryParts {
  readonly pool: Pool;
  readonly fence: Pick<Fence, 'lockHead' | 'committed'>;
  /** The key that signs now. */
  readonly relayer: KeyPair;
  /** Runs in the same transaction, before the entry is stored. */
  readonly alongside: (client: ClientBase) => Promise<void>;
}

const CHECKS = { verify: verifyNatively, isStrict: isStrictPublicKeyNatively };

/**
 * Adds the entry of a change of the relayer's key, behind the lock of the head like every other one; after a rotation the new key is
 * that of the head. Services may write meanwhile.
 * @throws {SuccessionError} if the rules do not allow the change; UNAVAILABLE if the database has lost operations
 */
export async function appendKeyEntry(
  { pool, fence, relayer, alongside }: KeyEntryParts,
  message: KeyMessage,
): Promise<ChainedEntry> {
  let appended: { readonly entry: ChainedEntry; readonly head: Head } | null = null;
  await inTransaction(pool, async (client) => {
    const head = await fence.lockHead(client);
    const place = { seq: head.seq + 1, owner: relayer.publicKey.toString('hex') };
    const succession = extendSuccession(await readSuccession(client, head), place, message, CHECKS);
    await alongside(client);
    const entry = await sign(client, relayer, head, message);
    const moved = headAfter(head, [entry]);
    await runAll(client, [insertEntries([entry]), moveHead(moved), ...keyChange(head, succession)]);
    appended = { entry, head: moved };
  });
  if (!appended) throw new Error('The entry was not added.');
  const { entry, head } = appended as { readonly entry: ChainedEntry; readonly head: Head };
  fence.committed(head);
  return entry;
}

async function sign(client: ClientBase, relayer: KeyPair, head: Head, message: KeyMessage): Promise<ChainedEntry> {
  const { rows } = await client.query<{ now: string }>('SELECT clock_timestamp() AS now');
  const at = Math.max(Date.parse(rows[0]?.now ?? ''), Date.parse(head.acceptedAt ?? '') || 0);
  const draft = {
    function: message.function,
    entity_id: head.ledgerId,
    signer: null,
    signature: null,
    message: { ...message } as Record<string, Json>,
  };
  return chain(createItemSigner(relayer.privateKey, relayer.publicKey), head, draft, new Date(at).toISOString());
}

const keyChange = ({ relayerPublicKey }: Head, succession: Succession) =>
  currentKey(succession) === relayerPublicKey ? [] : [replaceRelayerKey(currentKey(succession))];
