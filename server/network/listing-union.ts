import { setTimeout as sleep } from 'node:timers/promises';
import type { BundleOnNetwork, BundleQuery } from './arweave-client.ts';
import { decodeTransactionTags, type SignedTransaction } from './arweave-transaction.ts';
import { readBundleTags } from './bundle-tags.ts';
import { GatewayError } from './gateway-http.ts';
import { EveryGatewayFailed, type GatewayPool, isLacking, type Member } from './gateway-pool.ts';
import { PAGE, readList } from './read-list.ts';
import { walletAddress } from './wallet.ts';

/** A reorganisation during a listing repeats some transactions, but fewer than this. */
export const MAX_REPEATS = 1_000;
/** A pending transaction cannot be proved everywhere. A wallet has a few at a time. */
const MOST_PENDING = 1_000;
/** One of so many transactions in a list is proved while the list is read, so that an invented list ends early. */
const SAMPLE_EVERY = 100;
const LATE_MS_PER_PAGE = 2_000;
const PROOFS_AT_ONCE = 8;

/** What one gateway lists. */
interface Listing {
  readonly member: Member;
  readonly found: Map<string, BundleOnNetwork>;
  complete: boolean;
  error: GatewayError | null;
}

/**
 * The transactions that at least one gateway lists. A mined one that the lists do not agree on is proved by the signed
 * transaction; a pending one is not proved. Its block cannot be proved: it is the one that most gateways state, in a tie
 * that of the first of them.
 * @param lateMs how long a gateway may take after another one's list is complete; it has two seconds more for each page
 * @param listMs how long a gateway may take in any case: see readList
 * @throws {GatewayError} if no gateway gives a complete list
 */
export async function* listUnion(
  pool: GatewayPool,
  query: BundleQuery,
  times: { readonly lateMs: number; readonly listMs: number },
): AsyncGenerator<BundleOnNetwork> {
  const listings = await readListings(pool, query, times);
  const complete = listings.filter((listing) => listing.complete);
  const failed = listings.flatMap(({ member, error }) => (error ? [{ member, error }] : []));
  if (complete.length === 0) throw new EveryGatewayFailed(failed);
  for (const { member, error } of failed) pool.blame(member, `list ${error.kind}`, error.message);
  const usable = listings.filter(({ error }) => error === null || error.kind === 'unavailable');

  const listed: BundleOnNetwork[] = [];
  const doubtful: BundleOnNetwork[] = [];
  for (const id of new Set(usable.flatMap(({ found }) => [...found.keys()]))) {
    const bundle = asMostState(pool, id, usable);
    if (bundle.block === null || isAgreed(bundle, usable)) listed.push(bundle);
    else doubtful.push(bundle);
  }
  const liars = new Set<Member>();
  for (let at = 0; at < doubtful.length; at += PROOFS_AT_ONCE) {
    const some = doubtful.slice(at, at + PROOFS_AT_ONCE);
    const proved = await Promise.all(some.map((bundle) => proveListed(pool, query, bundle, usable, liars)));
    listed.push(...proved.filter((bundle) => bundle !== null));
  }
  if (query.limit === undefined) blameOmissions(pool, complete, listed);
  yield* listed.sort(query.newestFirst ? (one, other) => byAge(other, one) : byAge);
}

/** Reads the lists of all gateways. */
async function readListings(
  pool: GatewayPool,
  query: BundleQuery,
  { lateMs, listMs }: { readonly lateMs: number; readonly listMs: number },
): Promise<Listing[]> {
  let oneCompleteAt: number | null = null;

  async function read(listing: Listing): Promise<void> {
    const { member, found } = listing;
    const sampled = Math.floor(Math.random() * SAMPLE_EVERY);
    let listed = 0;
    let pending = 0;
    try {
      for await (const bundle of readList(member.client, query, listMs)) {
        if (listing.error) return;
        if (bundle.block === null) pending += 1;
        else if (listed % SAMPLE_EVERY === sampled) await refuseInvented(pool, query, bundle);
        listed += 1;
        if (listed - found.size > MAX_REPEATS) throw misbehaving('lists the same transactions again');
        if (pending > MOST_PENDING) throw misbehaving(`lists more than ${MOST_PENDING} pending transactions`);
        found.set(bundle.id, { ...bundle, cursor: '' });
      }
      listing.complete = listing.error === null;
      if (listing.complete) oneCompleteAt ??= performance.now();
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      listing.error ??= error;
    }
  }

  /** Gives up a gateway that takes much longer than another one. */
  async function limitTime(listing: Listing): Promise<void> {
    while (!listing.complete && listing.error === null) {
      const allowed = lateMs + LATE_MS_PER_PAGE * Math.floor(listing.found.size / PAGE);
      if (oneCompleteAt !== null && performance.now() - oneCompleteAt > allowed) {
        const sentence = `The gateway did not complete its list within ${Math.round(allowed / 1000)} seconds after another one.`;
        listing.error = new GatewayError('unavailable', sentence);
        return;
      }
      await sleep(Math.min(lateMs, 1_000) / 4, undefined, { ref: false });
    }
  }

  return Promise.all(
    pool.members.map(async (member) => {
      const listing: Listing = { member, found: new Map(), complete: false, error: null };
      await Promise.race([read(listing), limitTime(listing)]);
      return listing;
    }),
  );
}

const statedBy = (id: string, listings: readonly Listing[]) =>
  listings.flatMap(({ member, found }) => {
    const bundle = found.get(id);
    return bundle ? [{ member, bundle }] : [];
  });

/** A transaction in the block that most gateways state. A gateway that does not have the block yet is behind. */
function asMostState(pool: GatewayPool, id: string, listings: readonly Listing[]): BundleOnNetwork {
  const stated = statedBy(id, listings);
  const votes = new Map<string, number>();
  for (const { bundle } of stated) {
    if (bundle.block) votes.set(blockOf(bundle), (votes.get(blockOf(bundle)) ?? 0) + 1);
  }
  const most = Math.max(0, ...votes.values());
  const chosen = stated.find(({ bundle }) => bundle.block && votes.get(blockOf(bundle)) === most) ?? stated[0];
  if (!chosen) throw new Error(`No gateway lists ${id}.`);
  for (const { member, bundle } of stated) {
    if (!bundle.block || blockOf(bundle) === blockOf(chosen.bundle)) continue;
    const sentence = `The gateway states ${blockOf(bundle)} for transaction ${id}; ${chosen.member.url} states ${blockOf(chosen.bundle)}.`;
    pool.blame(member, 'block', sentence);
  }
  return chosen.bundle;
}

const blockOf = ({ block }: BundleOnNetwork): string => `block ${block?.height} of second ${block?.timestamp}`;

/** Whether every complete list has the transaction, and all have it with the same tags. */
const isAgreed = ({ id, tagsDigest }: BundleOnNetwork, listings: readonly Listing[]): boolean =>
  listings.every(({ found, complete }) => {
    const bundle = found.get(id);
    return bundle ? bundle.tagsDigest === tagsDigest : !complete;
  });

/**
 * The transaction with its signed tags; null if it is not one of the wallet with these tags. A gateway that invented one
 * transaction is not believed about others that only it lists.
 */
async function proveListed(
  pool: GatewayPool,
  query: BundleQuery,
  bundle: BundleOnNetwork,
  listings: readonly Listing[],
  liars: Set<Member>,
): Promise<BundleOnNetwork | null> {
  const stated = statedBy(bundle.id, listings);
  if (stated.every(({ member }) => liars.has(member))) return null;
  const signed = await signedOf(pool, bundle.id);
  const problem = problemOf(query, bundle.id, signed);
  if (signed === null || problem !== null) {
    for (const { member } of stated) {
      liars.add(member);
      pool.blame(member, 'invented', `The gateway ${problem}.`);
    }
    return null;
  }
  const own = readBundleTags(decodeTransactionTags(signed.tags));
  for (const { member, bundle: one } of stated) {
    if (one.tagsDigest === own.tagsDigest) continue;
    pool.blame(member, 'tags', `The gateway lists transaction ${one.id} with other tags than it has.`);
  }
  return { ...bundle, ...own };
}

/** @throws {GatewayError} `misbehaving` if a listed transaction is not one of the wallet */
async function refuseInvented(pool: GatewayPool, query: BundleQuery, { id }: BundleOnNetwork): Promise<void> {
  const signed = await signedOf(pool, id).catch((error: unknown) => {
    // It can be proved later, if the lists do not agree on it.
    if (error instanceof GatewayError && error.kind === 'unavailable') return undefined;
    throw error;
  });
  const problem = signed === undefined ? null : problemOf(query, id, signed);
  if (problem !== null) throw misbehaving(problem);
}

/** Null if no gateway has it: one that lists it also has it, so one that is down for long does not matter. */
async function signedOf(pool: GatewayPool, id: string): Promise<SignedTransaction | null> {
  try {
    return await pool.fromAny((client) => client.transaction(id));
  } catch (error) {
    const isLackedByOne = error instanceof EveryGatewayFailed && error.failed.some(isLacking);
    if (isLackedByOne || (error instanceof GatewayError && error.kind !== 'unavailable')) return null;
    throw error;
  }
}

function problemOf({ owner, tags }: BundleQuery, id: string, signed: SignedTransaction | null): string | null {
  if (signed === null) return `lists transaction ${id}, which no gateway has`;
  if (walletAddress({ n: signed.owner }) !== owner) return `lists transaction ${id}, which belongs to another wallet`;
  const own = decodeTransactionTags(signed.tags);
  const isTagged = tags.every((tag) => own.some(({ name, value }) => name === tag.name && value === tag.value));
  return isTagged ? null : `lists transaction ${id} with other tags than it has`;
}

function blameOmissions(pool: GatewayPool, complete: readonly Listing[], listed: readonly BundleOnNetwork[]): void {
  for (const { member, found } of complete) {
    const [first, ...more] = listed.filter(({ id, block }) => block !== null && !found.has(id));
    if (!first) continue;
    const others = more.length > 0 ? ` and ${more.length} more` : '';
    pool.blame(member, 'omission', `The gateway does not list transaction ${first.id}${others}, which another lists.`);
  }
}

const misbehaving = (what: string): GatewayError => new GatewayError('misbehaving', `The gateway ${what}.`);

/** Pending transactions are the newest. */
function byAge(one: BundleOnNetwork, other: BundleOnNetwork): number {
  const heights = [one, other].map(({ block }) => block?.height ?? Number.MAX_SAFE_INTEGER);
  return (heights[0] ?? 0) - (heights[1] ?? 0);
}
