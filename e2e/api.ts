import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { APIRequestContext } from '@playwright/test';
import { mnemonicToSeedSync } from '@scure/bip39';
import type { Json } from '../protocol/signing/canonical-json.ts';
import { newSigningKey, type SigningKey, signedFields, signingKeyOf } from '../server/crypto/signed-request.ts';

/** An Ed25519 key in the hands of a program. */
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
  readonly public_key: string;
  readonly status: string;
  readonly key_version: number;
  readonly recovery: { readonly guardians: readonly PublicGuardian[]; readonly confirmed_only: boolean };
  readonly active_recovery: { readonly confirmations: number } | null;
  readonly ledger: { readonly status: string };
}

export const ROLES = ['primary', 'secondary', 'tertiary'] as const;

/** The link of a request for the guardian of a role. */
export function linkFor({ links }: RecoveryRequest, role: string): string {
  const link = links.find((one) => one.role === role);
  if (!link) throw new Error(`There is no link for the ${role} guardian.`);
  return link.url;
}

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

/** The three keys of the institute, which the product under test made for itself. */
export const instituteKeys = async (): Promise<readonly string[]> =>
  JSON.parse(await readFile(join(process.env.PRODUCT_DATA_DIR ?? '', 'institute-keys.json'), 'utf8'));

export type Api = ReturnType<typeof apiOf>;

/** What programs ask of the product, each request from an address of its own. */
export function apiOf(request: APIRequestContext, address: () => Record<string, string>) {
  const post = (path: string, data: Fields) => request.post(path, { data, headers: address() });

  async function must<Body>(answer: Awaited<ReturnType<typeof post>>, status = 200): Promise<Body> {
    if (answer.status() !== status) throw new Error(`${answer.url()}: ${answer.status()} ${await answer.text()}`);
    return answer.json();
  }

  const holderDoes = async <Body>(
    holder: Holder,
    path: string,
    functionName: string,
    more: Fields = {},
    status = 200,
  ) => must<Body>(await post(path, holder.key.sign(functionName, { beoId: holder.id, ...more })), status);

  async function newHolder(key = newKey()): Promise<Holder> {
    const domain = `e2e-${randomUUID().slice(0, 18)}.bsp`;
    const body = key.sign('createBEO', { domain, publicKey: key.publicKey, recovery: null });
    const { beo_id: id } = await must<{ beo_id: string }>(await post('/api/relayer/beo', body), 201);
    return { key, id, domain };
  }

  const invite = (holder: Holder, role: string): Promise<Invitation> => {
    const fields = { name: `The ${role} one`, contact: `${role}@example.org`, role };
    return holderDoes(holder, '/api/guardian/invite', 'inviteGuardian', fields, 201);
  };

  async function accept(
    holder: Holder,
    { url, invitation_id: invitationId }: Invitation,
    key = newKey(),
  ): Promise<Guardian> {
    const body = key.sign('acceptGuardian', { invitationId, beoId: holder.id, publicKey: key.publicKey });
    const { guardian_id: id, role } = await must<{ guardian_id: string; role: string }>(
      await post(new URL(url).pathname, body),
    );
    return { key, id, role };
  }

  async function guarded(count = 2): Promise<{ holder: Holder; guardians: Guardian[] }> {
    const holder = await newHolder();
    const guardians: Guardian[] = [];
    for (const role of ROLES.slice(0, count)) guardians.push(await accept(holder, await invite(holder, role)));
    return { holder, guardians };
  }

  const confirmGuardian = (holder: Holder, guardianId: string, publicKey: string): Promise<unknown> =>
    holderDoes(holder, '/api/guardian/confirm', 'confirmGuardian', { guardianId, publicKey });

  const askForRecovery = async ({ id }: Holder, newPublicKey: string): Promise<RecoveryRequest> =>
    must(await post('/api/relayer/beo/request-recovery', { beoId: id, newPublicKey }));

  /** A guardian confirms a request by its link. @returns whether the recovery was executed by it */
  async function confirmRecovery(holder: Holder, url: string, newPublicKey: string, { key }: Pick<Guardian, 'key'>) {
    const path = new URL(url).pathname;
    const headers = { accept: 'application/json', ...address() };
    const { request_id: requestId } = await must<{ request_id: string }>(await request.get(path, { headers }));
    const body = key.sign('confirmRecovery', { requestId, beoId: holder.id, newPublicKey });
    return (await must<{ executed: boolean }>(await post(path, body))).executed;
  }

  async function newInstitution(
    key = newKey(),
    displayName = 'A Clinic',
    ieoType = 'HOSPITAL',
    domain = `e2e-${randomUUID().slice(0, 18)}.bsp`,
  ): Promise<Institution> {
    const fields = { domain, ieoType, displayName, publicKey: key.publicKey };
    const { ieo_id: id } = await must<{ ieo_id: string }>(await post('/api/ieo', key.sign('createIEO', fields)), 201);
    return { key, id, domain };
  }

  return {
    newHolder,
    invite,
    accept,
    guarded,
    confirmGuardian,
    askForRecovery,
    confirmRecovery,
    newInstitution,
    certify: async (ieoId: string, certification: Fields): Promise<unknown> => {
      const [key = ''] = await instituteKeys();
      const data = { ieoId, ...certification };
      const headers = { 'x-institute-key': key, ...address() };
      return must(await request.post('/api/ieo/certification', { data, headers }));
    },
    /** One of the institute's keys opens a proposal. @returns its id */
    propose: async (action: string, params: Fields): Promise<string> => {
      const [key = ''] = await instituteKeys();
      const data = { action, params, justification: 'Two complaints were found to be true.' };
      const headers = { 'x-institute-key': key, ...address() };
      const answer = await request.post('/api/ieo/approve', { data, headers });
      return (await must<{ proposal: { proposal_id: string } }>(answer)).proposal.proposal_id;
    },
    grant: (
      holder: Holder,
      ieoId: string,
      scope: Json = { intents: ['READ_RECORDS'], categories: ['*'] },
    ): Promise<{ token: { token_id: string; arweave_tx: string } }> => {
      const fields = { ieoId, scope, expiresInDays: null };
      return holderDoes(holder, '/api/relayer/consent', 'grantConsent', fields, 201);
    },
    configure: (holder: Holder, recovery: Json): Promise<{ invitations: readonly { url: string }[] }> =>
      holderDoes(holder, '/api/relayer/beo/recovery', 'updateRecovery', { recovery }),
    requireConfirmed: (holder: Holder) =>
      holderDoes(holder, '/api/guardian/require-confirmed', 'requireConfirmedGuardians'),
    /** Withdraws a consent. */
    revoke: async ({ key }: Holder, tokenId: string): Promise<unknown> => {
      const { tokenId: _, ...data } = key.sign('revokeToken', { tokenId });
      return must(await request.delete(`/api/consent/${tokenId}`, { data, headers: address() }));
    },
    lock: (holder: Holder) => holderDoes(holder, '/api/relayer/beo/lock', 'lockBEO'),
    destroy: (holder: Holder) => holderDoes(holder, '/api/relayer/beo/destroy', 'destroyBEO'),
    /** Asks for an operation that may be refused. */
    attempt: async (holder: Holder, path: string, functionName: string) => {
      const answer = await post(path, holder.key.sign(functionName, { beoId: holder.id }));
      const { code = null }: { code?: string | null } = await answer.json();
      return { status: answer.status(), code };
    },
    identity: async (id: string): Promise<PublicIdentity> =>
      (await must<{ beo: PublicIdentity }>(await request.get(`/api/beos/${id}`, { headers: address() }))).beo,
    consent: async (tokenId: string): Promise<{ valid?: boolean; token: { status: string } }> =>
      must(await request.get(`/api/consent/${tokenId}`, { headers: address() })),
    get: (path: string, headers: Record<string, string> = {}) =>
      request.get(path, { headers: { ...headers, ...address() } }),
    head: (path: string) => request.head(path, { headers: address() }),
  };
}
