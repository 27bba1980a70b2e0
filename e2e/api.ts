import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { APIRequestContext } from '@playwright/test';
import { mnemonicToSeedSync } from '@scure/bip39';
import { unshortened } from '../protocol/guardian-links.ts';
import type { Json } from '../protocol/signing/canonical-json.ts';
import { derivedAddressHashKey } from '../server/features/mail/address-hash-key.ts';
import { createAddressHashes } from '../server/features/mail/address-hashes.ts';
import { privateKeyObject } from '../server/platform/crypto/node-ed25519.ts';
import {
  newSigningKey,
  type SigningKey,
  signedFields,
  signingKeyOf,
} from '../server/platform/crypto/signed-request.ts';

/** An Ed25519 key that signs without a browser. */
export interface Key {
  /** 64 hex characters. */
  readonly publicKey: string;
  sign(functionName: string, fields: Fields): Fields;
}

export type Fields = Record<string, Json>;

export interface Holder {
  readonly key: Key;
  readonly id: string;
  readonly domain: string;
}

export interface Institution {
  readonly key: Key;
  readonly id: string;
  readonly domain: string;
}

export interface Guardian {
  readonly key: Key;
  readonly id: string;
  readonly role: string;
}

export interface Invitation {
  readonly url: string;
  readonly guardian_id: string;
  readonly invitation_id: string;
}

export interface RecoveryRequest {
  readonly request_id: string;
  /** The six words. */
  readonly fingerprint: string;
  readonly links: readonly { readonly role: string; readonly url: string }[];
}

export interface PublicGuardian {
  readonly guardian_id: string;
  readonly role: string;
  readonly public_key: string | null;
  readonly status: string;
  readonly confirmed: boolean;
}

export interface PublicIdentity {
  readonly beo_id: string;
  readonly public_key: string;
  readonly status: string;
  readonly key_version: number;
  readonly recovery: { readonly guardians: readonly PublicGuardian[]; readonly confirmed_only: boolean };
  readonly active_recovery: { readonly confirmations: number } | null;
  readonly ledger: { readonly status: string };
}

export const ROLES = ['primary', 'secondary', 'tertiary'] as const;

/** The link to a recovery request for the guardian with a role. */
export function linkFor({ links }: RecoveryRequest, role: string): string {
  const link = links.find((candidate) => candidate.role === role);
  if (!link) throw new Error(`There is no link for the ${role} guardian.`);
  return link.url;
}

/** The path in the API of a guardian's link; pages and mails have short ones. */
export const apiPathOf = (link: string): string =>
  new URL(link).pathname.replace(/^\/[gr]\//, (short) => `/api${unshortened(short)}`);

export const newKey = (): Key => keyOf(newSigningKey());

/** The key of 24 words: the first 32 bytes of BIP-39's seed are the Ed25519 seed. */
export function keyOfWords(words: readonly string[]): Key {
  return keyOfSeed(mnemonicToSeedSync(words.join(' ')).subarray(0, 32));
}

/** The key of an Ed25519 seed. */
export const keyOfSeed = (seed: Uint8Array): Key => keyOf(signingKeyOf(Buffer.from(seed).toString('hex')));

const keyOf = ({ privateKey, publicKey }: SigningKey): Key => ({
  publicKey,
  sign: (functionName, fields) =>
    signedFields(functionName, { ledgerId: process.env.LEDGER_ID ?? '', ...fields }, privateKey),
});

/** The three keys of the institute, which the product under test generated. */
export const instituteKeys = async (): Promise<readonly string[]> =>
  JSON.parse(await readFile(join(process.env.PRODUCT_DATA_DIR ?? '', 'institute-keys.json'), 'utf8'));

/** The token in the unsubscribe links of mails to an address. The product under test sends no mail. */
export async function unsubscribeToken(address: string): Promise<string> {
  const seed = await readFile(join(process.env.PRODUCT_DATA_DIR ?? '', 'relayer.key'), 'utf8');
  const key = derivedAddressHashKey(privateKeyObject(Buffer.from(seed.trim(), 'hex')));
  const hashes = createAddressHashes(key);
  return hashes.unsubscribeToken(hashes.recipient(address));
}

export type Api = ReturnType<typeof apiOf>;

/** Requests to the HTTP API of the product under test, each from a different client address. */
export function apiOf(request: APIRequestContext, address: () => Record<string, string>) {
  const post = (path: string, data: Fields) => request.post(path, { data, headers: address() });

  async function bodyOf<Body>(response: Awaited<ReturnType<typeof post>>, status = 200): Promise<Body> {
    if (response.status() !== status)
      throw new Error(`${response.url()}: ${response.status()} ${await response.text()}`);
    return response.json();
  }

  const submit = async <Body>(holder: Holder, path: string, functionName: string, more: Fields = {}, status = 200) =>
    bodyOf<Body>(await post(path, holder.key.sign(functionName, { beoId: holder.id, ...more })), status);

  async function newHolder(key = newKey(), domain = `e2e-${randomUUID().slice(0, 18)}.bsp`): Promise<Holder> {
    const body = key.sign('createBEO', { domain, publicKey: key.publicKey, recovery: null });
    const { beo_id: id } = await bodyOf<{ beo_id: string }>(await post('/api/relayer/beo', body), 201);
    return { key, id, domain };
  }

  const invite = (holder: Holder, role: string): Promise<Invitation> => {
    const fields = { name: `The ${role} guardian`, contact: `${role}@example.org`, role };
    return submit(holder, '/api/guardian/invite', 'inviteGuardian', fields, 201);
  };

  async function accept(
    holder: Holder,
    { url, invitation_id: invitationId }: Invitation,
    key = newKey(),
  ): Promise<Guardian> {
    const body = key.sign('acceptGuardian', { invitationId, beoId: holder.id, publicKey: key.publicKey });
    const { guardian_id: id, role } = await bodyOf<{ guardian_id: string; role: string }>(
      await post(apiPathOf(url), body),
    );
    return { key, id, role };
  }

  async function newGuardedHolder(count = 2): Promise<{ holder: Holder; guardians: Guardian[] }> {
    const holder = await newHolder();
    const guardians: Guardian[] = [];
    for (const role of ROLES.slice(0, count)) guardians.push(await accept(holder, await invite(holder, role)));
    return { holder, guardians };
  }

  const confirmGuardian = (holder: Holder, guardianId: string, publicKey: string): Promise<unknown> =>
    submit(holder, '/api/guardian/confirm', 'confirmGuardian', { guardianId, publicKey });

  const requestRecovery = async ({ id }: Holder, newPublicKey: string): Promise<RecoveryRequest> =>
    bodyOf(await post('/api/relayer/beo/request-recovery', { beoId: id, newPublicKey }));

  /** Begins a practice of a recovery. @returns the path of the first guardian's link */
  async function practise(holder: Holder): Promise<string> {
    const fields = { newPublicKey: newKey().publicKey };
    const path = '/api/guardian/practise';
    const { links } = await submit<{ links: { url: string }[] }>(holder, path, 'startPractice', fields);
    return new URL(links[0]?.url ?? '').pathname;
  }

  /** A guardian confirms a recovery request. @returns whether this executed the recovery */
  async function confirmRecovery(holder: Holder, url: string, newPublicKey: string, { key }: Pick<Guardian, 'key'>) {
    const path = apiPathOf(url);
    const headers = { accept: 'application/json', ...address() };
    const { request_id: requestId } = await bodyOf<{ request_id: string }>(await request.get(path, { headers }));
    const body = key.sign('confirmRecovery', { requestId, beoId: holder.id, newPublicKey });
    return (await bodyOf<{ executed: boolean }>(await post(path, body))).executed;
  }

  async function newInstitution(
    key = newKey(),
    displayName = 'A Clinic',
    ieoType = 'HOSPITAL',
    domain = `e2e-${randomUUID().slice(0, 18)}.bsp`,
  ): Promise<Institution> {
    const fields = { domain, ieoType, displayName, publicKey: key.publicKey };
    const { ieo_id: id } = await bodyOf<{ ieo_id: string }>(await post('/api/ieo', key.sign('createIEO', fields)), 201);
    return { key, id, domain };
  }

  return {
    newHolder,
    invite,
    accept,
    newGuardedHolder,
    confirmGuardian,
    requestRecovery,
    confirmRecovery,
    practise,
    newInstitution,
    certify: async (ieoId: string, certification: Fields): Promise<unknown> => {
      const [key = ''] = await instituteKeys();
      const data = { ieoId, ...certification };
      const headers = { 'x-institute-key': key, ...address() };
      return bodyOf(await request.post('/api/ieo/certification', { data, headers }));
    },
    /** Opens a proposal with a key of the institute. @returns its id */
    propose: async (action: string, params: Fields): Promise<string> => {
      const [key = ''] = await instituteKeys();
      const data = { action, params, justification: 'Two complaints were confirmed.' };
      const headers = { 'x-institute-key': key, ...address() };
      const response = await request.post('/api/ieo/approve', { data, headers });
      return (await bodyOf<{ proposal: { proposal_id: string } }>(response)).proposal.proposal_id;
    },
    grant: (
      holder: Holder,
      ieoId: string,
      scope: Json = { intents: ['READ_RECORDS'], categories: ['*'] },
      expiresInDays: number | null = null,
    ): Promise<{ token: { token_id: string; arweave_tx: string } }> => {
      const fields = { ieoId, scope, expiresInDays };
      return submit(holder, '/api/relayer/consent', 'grantConsent', fields, 201);
    },
    configure: (holder: Holder, recovery: Json): Promise<{ invitations: readonly { url: string }[] }> =>
      submit(holder, '/api/relayer/beo/recovery', 'updateRecovery', { recovery }),
    requireConfirmed: (holder: Holder) =>
      submit(holder, '/api/guardian/require-confirmed', 'requireConfirmedGuardians'),
    revoke: async ({ key }: Holder, tokenId: string): Promise<unknown> => {
      const { tokenId: _, ...data } = key.sign('revokeToken', { tokenId });
      return bodyOf(await request.delete(`/api/consent/${tokenId}`, { data, headers: address() }));
    },
    /** Sets the URL of an institution's webhook; its events from then on are sent there. */
    setWebhook: async ({ id: ieoId, key }: Institution, webhookUrl: string): Promise<unknown> =>
      bodyOf(await post('/api/ieo/contacts', key.sign('updateContacts', { ieoId, apiEndpoint: null, webhookUrl }))),
    lock: (holder: Holder) => submit(holder, '/api/relayer/beo/lock', 'lockBEO'),
    destroy: (holder: Holder) => submit(holder, '/api/relayer/beo/destroy', 'destroyBEO'),
    /** Submits an operation that may be refused. */
    attempt: async (holder: Holder, path: string, functionName: string) => {
      const response = await post(path, holder.key.sign(functionName, { beoId: holder.id }));
      const { code = null }: { code?: string | null } = await response.json();
      return { status: response.status(), code };
    },
    identity: async (id: string): Promise<PublicIdentity> =>
      (await bodyOf<{ beo: PublicIdentity }>(await request.get(`/api/beos/${id}`, { headers: address() }))).beo,
    consent: async (tokenId: string): Promise<{ valid?: boolean; token: { status: string } }> =>
      bodyOf(await request.get(`/api/consent/${tokenId}`, { headers: address() })),
    get: (path: string, headers: Record<string, string> = {}) =>
      request.get(path, { headers: { ...headers, ...address() } }),
    head: (path: string) => request.head(path, { headers: address() }),
  };
}
