import { hash, randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { derivedIds, type LedgerId, ledgerIdOf } from '../../protocol/ids.ts';
import { encodeEntry, type LedgerEntry } from '../../protocol/ledger/entry.ts';
import { anchorText, entryTags } from '../../protocol/ledger/entry-tags.ts';
import type { Json } from '../../protocol/signing/canonical-json.ts';
import { createItemSigner, encodeBundle } from '../../server/ledger/ans104.ts';
import { type ArweaveClient, createArweaveClient } from '../../server/network/arweave-client.ts';
import { type Devnet, startDevnet } from '../../server/network/devnet/devnet.ts';
import { withRetries } from '../../server/network/retry.ts';
import { loadWallet, signTransaction, type Wallet } from '../../server/network/wallet.ts';
import { newSigningKey, type SigningKey, signedFields } from '../../server/platform/crypto/signed-request.ts';
import { type KeyPair, loadRelayerKey } from '../../server/platform/data-folder/key-files.ts';
import { domainOf } from './load/workloads.ts';

/** A ledger on an embedded network that no service wrote. */
export interface GeneratedLedger {
  readonly entries: number;
  readonly gatewayUrl: string;
  readonly wallet: string;
  /** Hex. */
  readonly relayerKey: string;
  /** The settings with which the commands of a service read this ledger. */
  readonly env: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/** About what a bundle of 256 KiB holds. */
const PER_BUNDLE = 270;
const BUNDLES_PER_BLOCK = 50;
const BLOCKS_TO_FINAL = 20;
/** At a thousand a second, the nonces of a million entries are all remembered at once. */
const ENTRIES_PER_SECOND = 1_000;
/** Keys of holders: creating one takes longer than signing with it, and keys need not be unique. */
const KEYS = 1_000;
const IDENTITIES_PER_INSTITUTION = 1_000;
const IDENTITIES_PER_CONSENT = 10;
const NO_LOG = { info: () => undefined, warn: () => undefined, error: () => undefined };

/**
 * Writes identities, for each ten of them a consent and for each thousand an institution, with valid signatures, and posts
 * them to an embedded network in `folder`. About a thousand times faster than through a service.
 */
export async function generateLedger(
  folder: string,
  identities: number,
  log: (line: string) => void,
): Promise<GeneratedLedger> {
  await mkdir(folder, { recursive: true });
  const relayer = loadRelayerKey({ DATA_DIR: folder });
  const devnet = await startDevnet({ directory: join(folder, 'devnet'), blockMs: 2 ** 30, log: NO_LOG });
  const client = createArweaveClient({ gatewayUrl: devnet.url });
  const wallet = loadWallet(devnet.wallet);
  const poster = { devnet, client, wallet };
  let bundle: Written[] = [];
  let posted = 0;
  let entries = 0;
  for (const written of writeEntries(relayer, identities)) {
    bundle.push(written);
    entries = written.seq;
    if (bundle.length < PER_BUNDLE) continue;
    await post(poster, bundle);
    bundle = [];
    posted += 1;
    if (posted % BUNDLES_PER_BLOCK === 0) {
      await devnet.mine();
      log(`generated ${entries} entries`);
    }
  }
  if (bundle.length > 0) await post(poster, bundle);
  await devnet.mine(BLOCKS_TO_FINAL);
  return {
    entries,
    gatewayUrl: devnet.url,
    wallet: wallet.address,
    relayerKey: relayer.publicKey.toString('hex'),
    env: {
      DATA_DIR: folder,
      DOMAIN_SUFFIX: 'bsp',
      ARWEAVE_GATEWAY_URL: devnet.url,
      ARWEAVE_WALLET_FILE: devnet.walletFile,
    },
    stop: devnet.stop,
  };
}

interface Written {
  readonly seq: number;
  readonly id: string;
  readonly bytes: Buffer;
}

type Draft = Pick<LedgerEntry, 'function' | 'entity_id'> & Record<string, Json>;

/** The entries of a ledger without a breach, the last one accepted now. */
function* writeEntries(relayer: KeyPair, identities: number): Generator<Written> {
  const signer = createItemSigner(relayer.privateKey, relayer.publicKey);
  const ledgerId = ledgerIdOf(relayer.publicKey.toString('hex'));
  const total = identities + Math.ceil(identities / IDENTITIES_PER_INSTITUTION) + identities / IDENTITIES_PER_CONSENT;
  const beganAt = Date.now() - (1000 * total) / ENTRIES_PER_SECOND;
  let seq = 0;
  let prev: string | null = null;
  const nextTime = (): number => beganAt + (1000 * seq) / ENTRIES_PER_SECOND;
  const write = (draft: Draft): Written => {
    const accepted_at = new Date(nextTime()).toISOString();
    seq += 1;
    const entry = { v: 1, epoch: 1, seq, prev, accepted_at, ...draft } as unknown as LedgerEntry;
    const anchor = hash('sha256', anchorText(prev, seq), 'buffer');
    const { id, bytes } = signer.sign({ anchor, tags: entryTags(entry), data: encodeEntry(entry) });
    prev = id;
    return { seq, id, bytes };
  };

  const keys = Array.from({ length: KEYS }, newSigningKey);
  let institution = '';
  for (let index = 0; index < identities; index += 1) {
    const key = keys[index % KEYS] as SigningKey;
    if (index % IDENTITIES_PER_INSTITUTION === 0) {
      const fields = {
        ...{ domain: `institution-${index}.bsp`, ieoType: 'LAB', displayName: 'An institution' },
        publicKey: key.publicKey,
      };
      const draft = signedDraft(ledgerId, 'createIEO', fields, key, nextTime());
      institution = draft.ids.ieoId();
      yield write({ ...draft.of, entity_id: institution });
    }
    const fields = { domain: domainOf(index), publicKey: key.publicKey, recovery: null };
    const draft = signedDraft(ledgerId, 'createBEO', fields, key, nextTime());
    const beoId = draft.ids.beoId();
    yield write({ ...draft.of, entity_id: beoId });
    if (index % IDENTITIES_PER_CONSENT !== 0) continue;
    const scope = { intents: ['READ_RECORDS'], categories: ['*'] };
    const terms = { beoId, ieoId: institution, scope, expiresInDays: null };
    const consent = signedDraft(ledgerId, 'grantConsent', terms, key, nextTime());
    const assigned = { holder: beoId, grantee: institution };
    yield write({ ...consent.of, entity_id: consent.ids.tokenId(), assigned });
  }
}

function signedDraft(
  ledgerId: LedgerId,
  name: string,
  fields: Readonly<Record<string, Json>>,
  { privateKey, publicKey }: SigningKey,
  at: number,
) {
  const { signature, ...signed } = signedFields(name, fields, privateKey, {
    nonce: randomUUID(),
    timestamp: new Date(at).toISOString(),
  });
  const of = { function: name, signer: publicKey, signature, message: { function: name, ...signed } };
  return { of, ids: derivedIds(ledgerId, signature) };
}

interface Poster {
  readonly devnet: Devnet;
  readonly client: ArweaveClient;
  readonly wallet: Wallet;
}

async function post({ client, wallet }: Poster, items: readonly Written[]): Promise<void> {
  const data = encodeBundle(items);
  const [anchor, reward] = await withRetries(() => Promise.all([client.anchor(), client.price(data.length)]));
  const tags = [
    { name: 'App-Name', value: 'Perpetua' },
    { name: 'Bundle-Format', value: 'binary' },
    { name: 'Bundle-Version', value: '2.0.0' },
    { name: 'First-Seq', value: String(items[0]?.seq) },
    { name: 'Last-Seq', value: String(items.at(-1)?.seq) },
  ];
  const { json } = await signTransaction(wallet, { data, tags, anchor, reward });
  await withRetries(() => client.post(json, data));
}
