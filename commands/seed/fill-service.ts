import { type Client, createClient } from '../../client/client.ts';
import { PerpetuaError } from '../../client/errors.ts';
import { CommandError } from '../../server/platform/command-line/options.ts';
import {
  CONSENTS,
  GUARDIANS,
  INSTITUTION_KEYS,
  INSTITUTIONS,
  PEOPLE,
  PERSON_KEYS,
  type SeedConsent,
} from './community.ts';
import { MEASURED_PEOPLE } from './measurements.ts';
import {
  addGuardian,
  certify,
  createInstitution,
  createPerson,
  grant,
  granteeOf,
  type Party,
  partyOf,
  type Run,
  submitAll,
} from './steps.ts';

export interface SeedOptions {
  readonly url: string;
  /** The suffix of the service's domains. */
  readonly suffix: string;
  /** An institute key of the service with this gateway, for certifications; null if unknown. */
  readonly instituteKeyAt: (gatewayUrl: string) => string | null;
  /** Receives progress messages. */
  readonly note: (sentence: string) => void;
}

export type Seeded = Awaited<ReturnType<typeof seed>>;

const MAX_RUNS = 50;
const TOO_MANY_REQUESTS = 429;
const MAX_WAITS = 100;
const MAX_WAIT_MS = 600_000;
const WITHOUT_INSTITUTE_KEY =
  "Certified no institution: DATA_DIR does not belong to this service or does not contain the institute's keys.";

/**
 * Fills a running service on the test network with people, institutions, consents, guardians and records, through its public API.
 * @throws {CommandError} if the service writes to a permanent network, does not respond, or refuses a request
 */
export async function seed(options: SeedOptions) {
  const { url, note } = options;
  const client = createClient({
    url,
    retries: MAX_WAITS,
    maxWait: MAX_WAIT_MS,
    repeats: ({ status }) => status === TOO_MANY_REQUESTS,
    onWait: (ms) => note(`The rate limit is reached. Continuing in ${Math.ceil(ms / 1000)} s.`),
  });
  try {
    return await fill(client, options);
  } catch (error) {
    if (!(error instanceof PerpetuaError)) throw error;
    const isDown = error.code === 'NO_RESPONSE';
    throw new CommandError(
      isDown
        ? `No service answers at ${url}. Start it with "npm start" or "npm run dev".`
        : `The service at ${url} refused: ${error.message}`,
    );
  }
}

async function fill(client: Client, { url, suffix, instituteKeyAt, note }: SeedOptions) {
  const { ledger_id: ledgerId, network } = await client.getLedger();
  if (network.kind !== 'devnet') {
    throw new CommandError(`The service at ${url} writes to a permanent network. Only a test network can be seeded.`);
  }
  const number = await nextNumber(client, suffix);
  const domainOf = (name: string) => numbered(name, number, suffix);
  const run: Run = { client, domainOf, note, people: new Map(), institutions: new Map() };

  // One request after another, because of the rate limits and for a readable order in the ledger.
  for (const person of PERSON_KEYS) await createPerson(run, person);
  note(`Created ${run.people.size} people.`);
  for (const institution of INSTITUTION_KEYS) await createInstitution(run, institution);
  note(`Created ${run.institutions.size} institutions.`);

  const tokens = new Map<SeedConsent, string>();
  for (const consent of CONSENTS) tokens.set(consent, await grant(run, consent));
  note(`Granted ${tokens.size} consents.`);

  const guardians = [];
  for (const guardian of GUARDIANS) guardians.push({ guardian, link: await addGuardian(run, guardian) });
  note(`Invited ${guardians.length} guardians.`);

  const records = new Map<string, number>();
  for (const person of MEASURED_PEOPLE) records.set(person, await submitAll(run, tokens, person));
  note(`Submitted ${[...records.values()].reduce((sum, count) => sum + count, 0)} records.`);

  // Last, because certifications share a rate limit with the creation of people and institutions.
  const certified = new Set<string>();
  const instituteKey = instituteKeyAt(network.gateway_url);
  if (instituteKey) {
    for (const institution of INSTITUTION_KEYS)
      if (await certify(run, institution, instituteKey)) certified.add(institution);
  }
  note(instituteKey ? `Certified ${certified.size} institutions.` : WITHOUT_INSTITUTE_KEY);

  return {
    url,
    ledger_id: ledgerId,
    number,
    people: [...run.people].map(([person, party]) => ({ ...memberOf(party), records: records.get(person) ?? 0 })),
    institutions: [...run.institutions].map(([institution, party]) => ({
      ...memberOf(party),
      type: INSTITUTIONS[institution].type,
      certified: certified.has(institution),
    })),
    consents: [...tokens].map(([consent, token_id]) => ({
      from: partyOf(run.people, consent.from).domain,
      to: granteeOf(run, consent).domain,
      token_id,
      days: consent.days,
      revoked: consent.revoked ?? false,
    })),
    guardians: guardians.map(({ guardian: { of, guardian, role, status }, link }) => ({
      of: partyOf(run.people, of).domain,
      guardian: partyOf(run.people, guardian).domain,
      role,
      status: status,
      open_link: status === 'invited' ? link : null,
    })),
  };
}

/** The number of the first run whose names are free. */
async function nextNumber(client: Client, suffix: string): Promise<number> {
  for (let number = 1; number <= MAX_RUNS; number += 1) {
    if (!(await isTaken(client, numbered(PEOPLE.ana.domain, number, suffix)))) return number;
  }
  throw new CommandError(`This service has been seeded ${MAX_RUNS} times. Start one with another DATA_DIR.`);
}

const isTaken = (client: Client, domain: string): Promise<boolean> =>
  client.getBEOByDomain(domain).then(
    () => true,
    (error: unknown) => {
      if (error instanceof PerpetuaError && error.status === 404) return false;
      throw error;
    },
  );

const numbered = (name: string, number: number, suffix: string): string =>
  `${name}${number === 1 ? '' : `-${number}`}.${suffix}`;

const memberOf = ({ name, domain, id, key, words }: Party) => ({
  name,
  domain,
  id,
  public_key: key.publicKey,
  recovery_words: words,
});
