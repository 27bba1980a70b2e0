import { type Client, createClient } from '../../client/client.ts';
import { IntegrityError, PerpetuaError } from '../../client/errors.ts';
import type { Entry } from '../../client/receipts.ts';
import type { Ieo, Token } from '../../client/types.ts';
import { notCertifiedFor } from '../../protocol/entities/certified-for.ts';
import type { ViewedRecord } from './contents.ts';
import { isHolder } from './people.ts';
import { type Certified, firstVerdict, type Verdict } from './verdict.ts';

/** Requests at once: a share can have hundreds of entries, and other people wait too. */
const AT_ONCE = 4;
const MAX_WAIT_MS = 65_000;
const NOT_FOUND = 404;

/**
 * Checks the proofs against the ledger of this service, whose id is in the page. docs/sharing.md, "What a viewer can check".
 * `onVerdict` is called with the index of a record as soon as its verdict is known.
 */
export async function checkProofs(
  records: readonly ViewedRecord[],
  ledgerId: string,
  onVerdict: (index: number, verdict: Verdict) => void,
): Promise<void> {
  const client = createClient({ url: '', trusted: { ledgerId, head: null }, maxWait: MAX_WAIT_MS });
  const sources = sourcesOf(client);
  const waiting = [...records.keys()].filter((index) => {
    const viewed = records[index];
    return viewed && firstVerdict(viewed).state === 'checking';
  });
  if (waiting.length === 0) return;
  // With the newest entry at hand, no other one needs a request of its own that shows the order of both.
  await client.getLedger().catch(() => null);
  const work = async () => {
    for (let index = waiting.shift(); index !== undefined; index = waiting.shift()) {
      const viewed = records[index];
      if (viewed) onVerdict(index, await verdictOf(viewed, sources));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

interface Sources {
  entry(id: string): Promise<Entry>;
  token(id: string): Promise<Token | null>;
  institution(id: string): Promise<Ieo>;
}

/** Each is read once: a submission has up to a hundred records. */
function sourcesOf(client: Client): Sources {
  const once = <Result>(read: (id: string) => Promise<Result>) => {
    const results = new Map<string, Promise<Result>>();
    return (id: string): Promise<Result> => {
      const known = results.get(id) ?? read(id);
      results.set(id, known);
      return known;
    };
  };
  return {
    entry: once(async (id) => (await client.getTransaction(id)).entry),
    token: once(async (id) => (await client.verifyToken(id)).token ?? null),
    institution: once((id) => client.getIEO(id)),
  };
}

async function verdictOf(viewed: ViewedRecord, sources: Sources): Promise<Verdict> {
  try {
    return await compared(viewed, sources);
  } catch (error) {
    if (error instanceof IntegrityError) return { state: 'altered', why: 'entry' };
    const isMissing = error instanceof PerpetuaError && error.status === NOT_FOUND;
    return { state: isMissing ? 'missing' : 'unreachable' };
  }
}

async function compared({ proof, subject, record }: ViewedRecord, sources: Sources): Promise<Verdict> {
  if (!proof) return { state: 'none' };
  const entry = await sources.entry(proof.entryId);
  const commitments = entry.public?.commitments;
  const isOfEntry = Array.isArray(commitments) && commitments[proof.index] === proof.commitment;
  if (entry.function !== 'submitRecords' || !isOfEntry) return { state: 'altered', why: 'entry' };
  const token = await sources.token(entry.entityId);
  if (!token) return { state: 'altered', why: 'entry' };
  if (!isHolder(subject, token)) return { state: 'altered', why: 'holder' };
  const isNamed = proof.institutionId === token.ieo_id && record.ieo_id === token.ieo_id;
  if (!isNamed) return { state: 'altered', why: 'institution' };
  const institution = await sources.institution(token.ieo_id);
  const { public_key: key, key_version: version } = institution;
  // An institution may have changed its key since; a destroyed one has none.
  const isItsKey = entry.signer === key || key === null || version > 1;
  if (!isItsKey) return { state: 'altered', why: 'institution' };
  const { domain, display_name } = institution;
  return {
    state: 'proved',
    holder: token.beo_domain,
    institution: { domain, display_name },
    certified: certifiedAt(institution, record.category, Date.parse(entry.acceptedAt)),
  };
}

/** @param at ms since 1970 */
function certifiedAt({ certification }: Ieo, category: string, at: number): Certified {
  const { level, granted_at: from, expires_at: to } = certification;
  if (level === 'UNCERTIFIED' || (to !== null && Date.parse(to) <= at)) return 'no';
  const beyond = notCertifiedFor(certification, { intents: ['SUBMIT_RECORD'], categories: [category] });
  if (beyond.intents.length + beyond.categories.length > 0) return 'beyond';
  return from !== null && Date.parse(from) > at ? 'later' : 'then';
}
