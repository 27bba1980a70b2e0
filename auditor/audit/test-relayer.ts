import { createPrivateKey, createPublicKey, hash, type KeyObject, randomBytes, randomUUID } from 'node:crypto';
import { derivedIds, type LedgerId, ledgerIdOf } from '../../protocol/ids.ts';
import { encodeEntry, type LedgerEntry } from '../../protocol/ledger/entry.ts';
import { anchorText, entryTags } from '../../protocol/ledger/entry-tags.ts';
import type { Json } from '../../protocol/signing/canonical-json.ts';
import { createItemSigner, encodeBundle } from '../../server/ledger/ans104.ts';
import type { Draft } from '../../server/ledger/chain.ts';
import type { ArweaveClient } from '../../server/network/arweave-client.ts';
import type { TransactionTag } from '../../server/network/arweave-transaction.ts';
import { signTransaction, type Wallet } from '../../server/network/wallet.ts';
import { newPerson, type Person, type SignedBody } from '../../server/testing/test-service.ts';

export interface Written {
  readonly id: string;
  readonly bytes: Buffer;
  readonly entry: LedgerEntry;
}

/** Changes to an entry before it is signed with the relayer's key. */
export interface Forgery {
  readonly entry?: Partial<LedgerEntry>;
  readonly data?: (entry: LedgerEntry) => Uint8Array;
  readonly anchor?: Uint8Array;
  readonly tags?: (entry: LedgerEntry) => { name: string; value: string }[];
}

interface PostOptions {
  /** Wrong values for the tags. */
  readonly firstSeq?: number;
  readonly lastSeq?: number;
  readonly data?: Uint8Array;
}

type Terms = { readonly scope: Json; readonly expiresInDays: number | null };

const READING: Terms = { scope: { intents: ['READ_RECORDS'], categories: ['*'] }, expiresInDays: null };

export type ForgingRelayer = ReturnType<typeof createForgingRelayer>;

const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');

/** A compromised relayer: signs and posts correct and forged entries. */
export function createForgingRelayer(
  { client, wallet }: { client: ArweaveClient; wallet: Wallet },
  seed = randomBytes(32),
) {
  const first = keyOf(seed);
  const { publicKey } = first;
  let { signer } = first;
  const ledgerId = ledgerIdOf(publicKey.toString('hex'));
  const head = { epoch: 1, seq: 0, id: null as string | null, at: Date.now() - 60_000 };

  function write(draft: Draft, forgery: Forgery = {}): Written {
    const place = { v: 1 as const, epoch: head.epoch, seq: head.seq + 1, prev: head.id };
    const accepted_at = new Date(head.at).toISOString();
    const entry = { ...draft, ...place, accepted_at, ...forgery.entry } as LedgerEntry;
    const { id, bytes } = signer.sign({
      anchor: forgery.anchor ?? hash('sha256', anchorText(entry.prev, entry.seq), 'buffer'),
      tags: (forgery.tags ?? entryTags)(entry),
      data: (forgery.data ?? encodeEntry)(entry),
    });
    Object.assign(head, { epoch: entry.epoch, seq: entry.seq, id, at: head.at + 10 });
    return { id, bytes, entry };
  }

  async function prepare(items: readonly Written[], options: PostOptions) {
    const data = options.data ?? encodeBundle(items);
    const [anchor, reward] = await Promise.all([client.anchor(), client.price(data.length)]);
    const first = options.firstSeq ?? items[0]?.entry.seq ?? 0;
    const last = options.lastSeq ?? items.at(-1)?.entry.seq ?? 0;
    return { data, ...(await signTransaction(wallet, { data, tags: bundleTags(first, last), anchor, reward })) };
  }

  const idsOf = ({ signature }: SignedBody) => derivedIds(ledgerId as LedgerId, signature);

  return {
    seed,
    /** Signs the following entries with the key of this seed. */
    signWith(other: Uint8Array): void {
      ({ signer } = keyOf(other));
    },
    ledgerId,
    relayerKey: publicKey.toString('hex'),
    head,
    write,

    /** Posts items as one bundle; returns the id of its transaction, which is pending until a block is mined. */
    async post(items: readonly Written[], options: PostOptions = {}): Promise<string> {
      const { id, json, data } = await prepare(items, options);
      await client.post(json, data);
      return id;
    },

    /** Posts the transaction without its data. */
    async postWithoutData(gatewayUrl: string, items: readonly Written[]): Promise<string> {
      const { id, json } = await prepare(items, {});
      const body = JSON.stringify({ ...json, data: '' });
      const { status } = await fetch(`${gatewayUrl}/tx`, { method: 'POST', body });
      if (status !== 200) throw new Error(`The gateway answered ${status}.`);
      return id;
    },

    /** A person and their createBEO entry. */
    create(domain: string): { person: Person; beoId: string; draft: Draft } {
      const person = newPerson();
      const body = signedAt(person, head.at, 'createBEO', { domain, publicKey: person.publicKey, recovery: null });
      const beoId = idsOf(body).beoId();
      return { person, beoId, draft: openDraft('createBEO', beoId, person.publicKey, body) };
    },

    /** An institution and its createIEO entry. */
    admit(
      domain: string,
      ieoType = 'LAB',
      displayName = 'An institution',
    ): { person: Person; ieoId: string; draft: Draft } {
      const person = newPerson();
      const fields = { domain, ieoType, displayName, publicKey: person.publicKey };
      const body = signedAt(person, head.at, 'createIEO', fields);
      const ieoId = idsOf(body).ieoId();
      return { person, ieoId, draft: openDraft('createIEO', ieoId, person.publicKey, body) };
    },

    /** A consent that `holder` signs now; `grantee` is the id that the entry assigns to the signed `ieoId`. */
    grant(holder: { person: Person; beoId: string }, ieoId: string, grantee = ieoId, terms: Terms = READING) {
      const { person, beoId } = holder;
      const body = signedAt(person, head.at, 'grantConsent', { beoId, ieoId, ...terms });
      const tokenId = idsOf(body).tokenId();
      const draft = {
        ...openDraft('grantConsent', tokenId, person.publicKey, body),
        assigned: { holder: beoId, grantee },
      };
      return { tokenId, draft };
    },

    /** The entry of an operation on an identity, signed now by `person`. */
    act(person: Person, beoId: string, functionName: string, fields: Record<string, Json> = {}): OpenDraft {
      return openDraft(
        functionName,
        beoId,
        person.publicKey,
        signedAt(person, head.at, functionName, { beoId, ...fields }),
      );
    },

    /** The entry of any operation, signed now by `person` over exactly these fields. */
    sign(person: Person, entityId: string, functionName: string, fields: Record<string, Json>): Draft {
      return openDraft(functionName, entityId, person.publicKey, signedAt(person, head.at, functionName, fields));
    },

    /** The entry of a sealed operation with these public facts. */
    seal(person: Person, beoId: string, functionName: string, facts: Record<string, Json>): Draft {
      const timestamp = new Date(head.at - 100).toISOString();
      return {
        ...{ function: functionName, entity_id: beoId, signer: person.publicKey, signature: null },
        ...{ sealed: randomBytes(32).toString('hex'), public: { timestamp, beoId, ...facts } },
      };
    },

    /** The entry of a decision of the institute with one of its keys. */
    decide(functionName: string, entityId: string, fields: Record<string, Json>, approver: Json): OpenDraft {
      const message = { function: functionName, ...fields, approver };
      return { function: functionName, entity_id: entityId, signer: null, signature: null, message };
    },

    /** A proposal about an institution, and its openProposal entry. */
    propose(action: string, ieoId: string, approver: Json, proposalId: string = randomUUID()) {
      const params = action === 'reinstateIEO' ? { ieoId } : { ieoId, reason: 'A complaint was found to be true.' };
      const fields = { action, params, justification: 'A complaint was found to be true.' };
      const draft = { ...this.decide('openProposal', proposalId, fields, approver), assigned: { institution: ieoId } };
      const approve = (second: Json) => this.decide('approveProposal', proposalId, { proposalId }, second);
      return { proposalId, draft, approve };
    },
  };
}

export const bundleTags = (first: number, last: number): TransactionTag[] => [
  { name: 'App-Name', value: 'Perpetua' },
  { name: 'Bundle-Format', value: 'binary' },
  { name: 'Bundle-Version', value: '2.0.0' },
  { name: 'First-Seq', value: String(first) },
  { name: 'Last-Seq', value: String(last) },
];

const signedAt = (person: Person, at: number, functionName: string, fields: Record<string, Json>): SignedBody =>
  person.sign(functionName, fields, { timestamp: new Date(at - 100).toISOString() });

type OpenDraft = Extract<Draft, { message: unknown }>;

export function openDraft(functionName: string, entityId: string, signer: string, body: SignedBody): OpenDraft {
  const { signature, ...signed } = body;
  const message = { function: functionName, ...signed };
  return { function: functionName, entity_id: entityId, signer, signature, message };
}

function keyOf(seed: Uint8Array) {
  const privateKey = createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' });
  const publicKey = rawPublicKey(privateKey);
  return { publicKey, signer: createItemSigner(privateKey, publicKey) };
}

function rawPublicKey(privateKey: KeyObject): Buffer {
  const { x } = createPublicKey(privateKey).export({ format: 'jwk' });
  return Buffer.from(x ?? '', 'base64url');
}
