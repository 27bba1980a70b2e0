import type { Client } from '../../client/client.ts';
import { PerpetuaError } from '../../client/errors.ts';
import type { Key } from '../../client/keys.ts';
import type { NewRecord } from '../../client/types.ts';
import { generateWords, keyFromWords } from '../../client/words.ts';
import type { Written } from '../../client/write.ts';
import { DAY_MS } from '../../protocol/days.ts';
import { MAX_RECORDS } from '../../protocol/records/record.ts';
import { CommandError } from '../../server/platform/command-line/options.ts';
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
  readonly key: Key;
  readonly words: string;
}

/** @throws {Error} before the step that creates it */
export function partyOf<Key>(parties: ReadonlyMap<Key, Party>, key: Key): Party {
  const party = parties.get(key);
  if (!party) throw new Error(`${key} has not been created yet.`);
  return party;
}

function newKey(): Pick<Party, 'key' | 'words'> {
  const words = generateWords();
  return { key: keyFromWords(words), words };
}

export async function createPerson({ client, people, domainOf }: Run, personKey: PersonKey): Promise<void> {
  const party = { name: PEOPLE[personKey].name, domain: domainOf(PEOPLE[personKey].domain), ...newKey() };
  const { key, domain } = party;
  const { beo_id: id } = await client.createBEO({ domain, publicKey: key.publicKey, recovery: null }, { key });
  people.set(personKey, { ...party, id });
}

export async function createInstitution(run: Run, institutionKey: InstitutionKey): Promise<void> {
  const { name, domain, type: ieoType, country } = INSTITUTIONS[institutionKey];
  const party = { name, domain: run.domainOf(domain), ...newKey() };
  const { key } = party;
  const fields = { domain: party.domain, ieoType, displayName: name, publicKey: key.publicKey, country };
  const { ieo_id: id } = await run.client.createIEO(fields, { key });
  run.institutions.set(institutionKey, { ...party, id });
}

/** @returns the id of the consent's token */
export async function grant(run: Run, { scope, days, revoked, ...consent }: SeedConsent): Promise<string> {
  const { key, id: beoId } = partyOf(run.people, consent.from);
  const fields = { beoId, ieoId: granteeOf(run, consent).id, scope, expiresInDays: days };
  const { entry } = await run.client.grantConsent(fields, { key });
  if (revoked) await run.client.revokeToken({ tokenId: entry.entityId }, { key });
  return entry.entityId;
}

export const granteeOf = ({ people, institutions }: Run, { from, to }: Pick<SeedConsent, 'from' | 'to'>): Party =>
  to === 'self' ? partyOf(people, from) : partyOf(institutions, to);

/** @returns the link of the invitation */
export async function addGuardian(
  { client, people }: Run,
  { of, guardian, role, status }: SeedGuardian,
): Promise<string> {
  const { id: beoId, key } = partyOf(people, of);
  const invited = partyOf(people, guardian);
  const { publicKey } = invited.key;
  const named = { name: invited.name, contact: `${PEOPLE[guardian].domain}@example.org`, role };
  const { url: link, invitation_id: invitationId } = answered(
    await client.inviteGuardian({ beoId, ...named }, { key }),
  );
  if (status === 'invited') return link;

  const fields = { invitationId, beoId, publicKey };
  const { guardian_id: guardianId } = answered(await client.acceptGuardian(fields, { key: invited.key, link }));
  if (status === 'confirmed') await client.confirmGuardian({ beoId, guardianId, publicKey }, { key });
  return link;
}

/** @throws {CommandError} where the response was lost: it has what the next step needs */
function answered<Answer>(written: Written<Answer>): Extract<Written<Answer>, { responseLost: false }> {
  if (written.responseLost) throw new CommandError('A response of the service was lost. Run the command again.');
  return written;
}

/** Submits the records of the laboratory and the wearable, and one correction. @returns the number of records */
export async function submitAll(
  { client, people, institutions }: Run,
  tokens: ReadonlyMap<SeedConsent, string>,
  person: MeasuredPerson,
): Promise<number> {
  async function submit(by: InstitutionKey, records: readonly NewRecord[]): Promise<string[]> {
    const { key } = partyOf(institutions, by);
    const use = {
      targetBeo: partyOf(people, person).id,
      consentToken: tokens.get(consentFor(person, by)) ?? '',
    };
    const ids: string[] = [];
    for (let first = 0; first < records.length; first += MAX_RECORDS) {
      const fields = { ...use, records: records.slice(first, first + MAX_RECORDS) };
      ids.push(...answered(await client.submitRecords(fields, { key })).record_ids);
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
  const { id: ieoId, name } = partyOf(institutions, institutionKey);
  if (!certification) return false;
  const expiresAt = new Date(Date.now() + 365 * DAY_MS).toISOString();
  try {
    await client.updateCertification({ ieoId, ...certification, expiresAt }, { instituteKey });
    return true;
  } catch (error) {
    if (!(error instanceof PerpetuaError) || error.status === null) throw error;
    note(`${name} was not certified: ${error.message}`);
    return false;
  }
}
