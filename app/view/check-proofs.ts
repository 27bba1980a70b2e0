import { type Client, createClient } from '../../client/client.ts';
import { IntegrityError, PerpetuaError } from '../../client/errors.ts';
import type { Entry } from '../../client/receipts.ts';
import type { Ieo, Token } from '../../client/types.ts';
import { notCertifiedFor } from '../../protocol/entities/certified-for.ts';
import { isCertified } from '../../protocol/entities/ieo.ts';
import type { ViewedRecord } from './contents.ts';
import { isHolder } from './people.ts';
import type { Certified, Verdict } from './verdict.ts';

/** Requests at once: a share can have hundreds of entries, and other people wait too. */
const AT_ONCE = 4;
const MAX_WAIT_MS = 65_000;
const NOT_FOUND = 404;
/** A forged share can name any number of entries, and a hospital has one address with one limit: its reader decides about more. */
export const MAX_ENTRIES = 300;
/** So many unknown entries are of another ledger, or of none. */
export const MAX_MISSING = 20;

interface Checks {
  readonly ledger: { readonly url: string; readonly ledgerId: string };
  readonly signal: AbortSignal;
  /** Called with the index of a record as soon as its verdict is known, until the signal is aborted. */
  onVerdict(index: number, verdict: Verdict): void;
}

/**
 * Checks the proofs of the records that are `checking`, by their index, against a ledger. docs/sharing.md, "What a viewer can check".
 * What is beyond one of the limits stays unchecked.
 */
export async function checkProofs(
  records: readonly ViewedRecord[],
  verdicts: readonly Verdict[],
  { ledger: { url, ledgerId }, signal, onVerdict }: Checks,
): Promise<void> {
  const client = createClient({ url, trusted: { ledgerId, head: null }, maxWait: MAX_WAIT_MS });
  const sources = sourcesOf(client, signal);
  const waiting = [...records.entries()].filter(([index]) => verdicts[index]?.state === 'checking');
  if (waiting.length === 0) return;
  // With the newest entry at hand, no other one needs a request of its own that shows the order of both.
  await client.getLedger({ signal }).catch(() => null);
  const [asked, missing] = [new Set<string>(), new Set<string>()];
  const verdictFor = async (viewed: ViewedRecord): Promise<Verdict> => {
    const id = viewed.proof?.entryId ?? '';
    const isOver = asked.size >= MAX_ENTRIES || missing.size >= MAX_MISSING;
    if (isOver && !asked.has(id)) return { state: 'unchecked' };
    asked.add(id);
    const verdict = await verdictOf(viewed, sources);
    if (verdict.state === 'missing') missing.add(id);
    return verdict;
  };
  const work = async () => {
    for (let next = waiting.shift(); next && !signal.aborted; next = waiting.shift()) {
      const [index, viewed] = next;
      const verdict = await verdictFor(viewed);
      if (!signal.aborted) onVerdict(index, verdict);
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
function sourcesOf(client: Client, signal: AbortSignal): Sources {
  const once = <Result>(read: (id: string) => Promise<Result>) => {
    const results = new Map<string, Promise<Result>>();
    return (id: string): Promise<Result> => {
      const known = results.get(id) ?? read(id);
      results.set(id, known);
      return known;
    };
  };
  return {
    entry: once(async (id) => (await client.getTransaction(id, { signal })).entry),
    token: once(async (id) => (await client.verifyToken(id, {}, { signal })).token ?? null),
    institution: once((id) => client.getIEO(id, { signal })),
  };
}

async function verdictOf(viewed: ViewedRecord, sources: Sources): Promise<Verdict> {
  try {
    return await compared(viewed, sources);
  } catch (error) {
    if (error instanceof IntegrityError) return { state: 'altered', why: 'entry' };
    const isMissing = error instanceof PerpetuaError && error.status === NOT_FOUND;
    return { state: isMissing ? 'missing' : 'unchecked' };
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
    certified: certifiedFor(institution, record.category, Date.now()),
  };
}

/** @param now ms since 1970 */
export function certifiedFor(
  institution: Pick<Ieo, 'status' | 'certification'>,
  category: string,
  now: number,
): Certified {
  const { status, certification } = institution;
  if (status !== 'ACTIVE') return { now: 'stopped', status };
  if (!isCertified(institution, now)) return { now: 'no' };
  const beyond = notCertifiedFor(certification, { intents: ['SUBMIT_RECORD'], categories: [category] });
  if (beyond.intents.length + beyond.categories.length > 0) return { now: 'beyond' };
  return { now: 'yes', since: certification.granted_at };
}
