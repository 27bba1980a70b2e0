import { randomBytes } from 'node:crypto';
import { entropyToMnemonic, mnemonicToSeedSync } from '@scure/bip39';
import { wordlist } from '@scure/bip39/wordlists/english.js';
import { z } from 'zod';
import { DAY_MS } from '../../protocol/days.ts';
import { parseUrl } from '../../protocol/parse-url.ts';
import { MAX_RECORDS } from '../../protocol/records/record.ts';
import type { JsonObject } from '../../protocol/signing/message.ts';
import { type SigningKey, signedFields, signingKeyOf } from '../../server/platform/crypto/signed-request.ts';
import { type Client, RefusedError } from './client.ts';
import {
  CONSENTS,
  INSTITUTIONS,
  type InstitutionKey,
  PEOPLE,
  type PersonKey,
  type SeedConsent,
  type SeedGuardian,
} from './community.ts';
import { correction, deviceRecords, laboratoryRecords, type MeasuredPerson } from './measurements.ts';

/** The state of a run, which every step uses. */
export interface Run {
  readonly client: Client;
  readonly ledgerId: string;
  /** The full domain of a name of community.ts in this run. */
  readonly domainOf: (name: string) => string;
  readonly note: (sentence: string) => void;
  readonly people: Map<PersonKey, Party>;
  readonly institutions: Map<InstitutionKey, Party>;
}

/** A person or an institution with the 24 recovery words of its key. */
export interface Party {
  readonly name: string;
  readonly domain: string;
  readonly id: string;
  readonly key: SigningKey;
  readonly words: string;
}

/** @throws {Error} before the step that creates it */
export function partyOf<Key>(parties: ReadonlyMap<Key, Party>, key: Key): Party {
  const party = parties.get(key);
  if (!party) throw new Error(`${key} has not been created yet.`);
  return party;
}

const beoShape = z.object({ beo_id: z.string() });
const ieoShape = z.object({ ieo_id: z.string() });
const tokenShape = z.object({ token: z.object({ token_id: z.string() }) });
const invitationShape = z.object({ url: z.string(), invitation_id: z.string() });
const guardianShape = z.object({ guardian_id: z.string() });
const recordsShape = z.object({ record_ids: z.array(z.string()) });
const anything = z.unknown();

const ENTROPY_BYTES = 32;
const SEED_BYTES = 32;

/** A key as in the dashboard: the Ed25519 seed is the first 32 bytes of the BIP-39 seed of 24 words. */
function newKey(): Pick<Party, 'key' | 'words'> {
  const words = entropyToMnemonic(randomBytes(ENTROPY_BYTES), wordlist);
  const seed = Buffer.from(mnemonicToSeedSync(words).subarray(0, SEED_BYTES));
  return { key: signingKeyOf(seed.toString('hex')), words };
}

const signed =
  ({ ledgerId }: Run, { key }: Pick<Party, 'key'>, functionName: string, fields: JsonObject) =>
  (): JsonObject =>
    signedFields(functionName, { ledgerId, ...fields }, key.privateKey);

export async function createPerson(run: Run, personKey: PersonKey): Promise<void> {
  const party = { name: PEOPLE[personKey].name, domain: run.domainOf(PEOPLE[personKey].domain), ...newKey() };
  const fields = { domain: party.domain, publicKey: party.key.publicKey, recovery: null };
  const request = { path: '/api/relayer/beo', body: signed(run, party, 'createBEO', fields) };
  const { beo_id: id } = await run.client.send(request, beoShape);
  run.people.set(personKey, { ...party, id });
}

export async function createInstitution(run: Run, institutionKey: InstitutionKey): Promise<void> {
  const { name, domain, type, country } = INSTITUTIONS[institutionKey];
  const party = { name, domain: run.domainOf(domain), ...newKey() };
  const { publicKey } = party.key;
  const fields = { domain: party.domain, ieoType: type, displayName: name, publicKey, country };
  const request = { path: '/api/ieo', body: signed(run, party, 'createIEO', fields) };
  const { ieo_id: id } = await run.client.send(request, ieoShape);
  run.institutions.set(institutionKey, { ...party, id });
}

/** @returns the id of the consent's token */
export async function grant(run: Run, consent: SeedConsent): Promise<string> {
  const holder = partyOf(run.people, consent.from);
  const grantee = granteeOf(run, consent);
  const fields = {
    beoId: holder.id,
    ieoId: grantee.id,
    scope: consent.scope,
    expiresInDays: consent.days,
  };
  const request = { path: '/api/relayer/consent', body: signed(run, holder, 'grantConsent', fields) };
  const { token_id: tokenId } = (await run.client.send(request, tokenShape)).token;
  if (consent.revoked) await revoke(run, holder, tokenId);
  return tokenId;
}

export const granteeOf = ({ people, institutions }: Run, { from, to }: SeedConsent): Party =>
  to === 'self' ? partyOf(people, from) : partyOf(institutions, to);

async function revoke(run: Run, holder: Party, tokenId: string): Promise<void> {
  // The token id is part of the signed message, but it is sent in the path only.
  const body = (): JsonObject => {
    const { tokenId: _, ...rest } = signed(run, holder, 'revokeToken', { tokenId })();
    return rest;
  };
  await run.client.send({ method: 'DELETE', path: `/api/consent/${tokenId}`, body }, anything);
}

/** @returns the link of the invitation */
export async function addGuardian(run: Run, { of, guardian, role, status }: SeedGuardian): Promise<string> {
  const holder = partyOf(run.people, of);
  const invited = partyOf(run.people, guardian);
  const { id: beoId } = holder;
  const { publicKey } = invited.key;
  const named = { name: invited.name, contact: `${PEOPLE[guardian].domain}@example.org`, role };
  const invite = signed(run, holder, 'inviteGuardian', { beoId, ...named });
  const { url, invitation_id: invitationId } = await run.client.send(
    { path: '/api/guardian/invite', body: invite },
    invitationShape,
  );
  if (status === 'invited') return url;

  const accept = signed(run, invited, 'acceptGuardian', { invitationId, beoId, publicKey });
  const { guardian_id: guardianId } = await run.client.send(
    { path: parseUrl(url)?.pathname ?? '', body: accept },
    guardianShape,
  );
  if (status === 'accepted') return url;

  const confirm = signed(run, holder, 'confirmGuardian', { beoId, guardianId, publicKey });
  await run.client.send({ path: '/api/guardian/confirm', body: confirm }, anything);
  return url;
}

/** Submits the records of the laboratory and the wearable, and one correction. @returns the number of records */
export async function submitAll(
  run: Run,
  tokens: ReadonlyMap<SeedConsent, string>,
  person: MeasuredPerson,
): Promise<number> {
  async function submit(by: InstitutionKey, records: readonly JsonObject[]): Promise<string[]> {
    const consentToken = tokens.get(consentFor(person, by)) ?? '';
    const ids: string[] = [];
    for (let first = 0; first < records.length; first += MAX_RECORDS) {
      const batch = records.slice(first, first + MAX_RECORDS);
      const fields = { targetBeo: partyOf(run.people, person).id, consentToken, records: batch };
      const body = signed(run, partyOf(run.institutions, by), 'submitRecords', fields);
      ids.push(...(await run.client.send({ path: '/api/exchange/records', body }, recordsShape)).record_ids);
    }
    return ids;
  }

  const now = Date.now();
  const laboratory = laboratoryRecords(person, now);
  const ids = await submit('laboratory', laboratory);
  const readings = await submit('wearable', deviceRecords(person, now));
  const wrong = laboratory.at(-1);
  const wrongId = ids.at(-1);
  if (person !== 'ana' || !wrong || !wrongId) return ids.length + readings.length;
  const corrected = await submit('laboratory', [correction(wrong, wrongId)]);
  return ids.length + readings.length + corrected.length;
}

function consentFor(person: PersonKey, institution: InstitutionKey): SeedConsent {
  const consent = CONSENTS.find(({ from, to }) => from === person && to === institution);
  if (!consent) throw new Error(`${person} has not granted ${institution} a consent.`);
  return consent;
}

/** @returns whether the institution is certified now */
export async function certify(
  { client, note, institutions }: Run,
  institutionKey: InstitutionKey,
  instituteKey: string,
): Promise<boolean> {
  const { certification } = INSTITUTIONS[institutionKey];
  const { id, name } = partyOf(institutions, institutionKey);
  if (!certification) return false;
  const expiresAt = new Date(Date.now() + 365 * DAY_MS).toISOString();
  const body = () => ({ ieoId: id, ...certification, expiresAt });
  const headers = { 'x-institute-key': instituteKey };
  try {
    await client.send({ path: '/api/ieo/certification', body, headers }, anything);
    return true;
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    note(`${name} was not certified: ${error.message}`);
    return false;
  }
}
