import { isDeepStrictEqual } from 'node:util';
import { type Beo, beoView } from '../../protocol/entities/beo.ts';
import { invitationEnds } from '../../protocol/entities/guardian.ts';
import { ieoView } from '../../protocol/entities/ieo.ts';
import type { Instant } from '../../protocol/entities/recorded.ts';
import { requestEnds } from '../../protocol/entities/social-recovery.ts';
import { type Token, tokenView } from '../../protocol/entities/token.ts';
import { currentKey } from '../../protocol/ledger/relayer-keys.ts';
import { tokenProblem } from '../../protocol/records/token-use.ts';
import { canonicalJson } from '../../protocol/signing/canonical-json.ts';
import { decodeSignature } from '../../protocol/signing/ed25519.ts';
import { verifyNatively } from '../../server/platform/crypto/ed25519.ts';
import type { Audit } from './audit.ts';
import { checkOverdue } from './check-posting.ts';
import { differences } from './compare-database.ts';
import type { ReplayedState } from './replayed-state.ts';
import { chooseSample, SAMPLED_KINDS, type SampledEntity, type SampledKind } from './sample.ts';
import { type ServedLedger, type ServiceApi, ServiceApiError } from './service-api.ts';

export interface ApiComparison {
  readonly sampled: readonly Sampled[];
}

interface Sampled {
  readonly kind: SampledKind;
  /** How many live entities were read, of how many in all. */
  readonly live: number;
  readonly of: number;
  /** How many ended entities were read. */
  readonly ended: number;
}

const EXTEND_BY = 250;
const MAX_CATCH_UPS = 20;
/** Entries that are not on the network yet; far more than the backlog at which a service stops accepting. */
const MAX_BEYOND = 2_000_000;
/** The service's clock decides what has expired, and may differ from ours. */
const CLOCKS_DIFFER_MS = 120_000;

/**
 * Compares a running service with the ledger on the network: its entries that are not on the network yet (they are replayed
 * too), its signed head, and a sample of identities, institutions and consents, half of them the newest.
 * @throws {ServiceApiError}
 */
export async function compareWithApi(
  api: ServiceApi,
  audit: Audit,
  { sample, maxDelayMs }: { sample: number; maxDelayMs: number },
): Promise<ApiComparison> {
  const served = await api.ledger();
  await followTo(served, api, audit);
  checkHead(served, audit);
  checkOverdue(audit, maxDelayMs, Date.parse(served.head.at));
  const { state } = audit.replay;
  const chosen = audit.complete ? chooseSample(state, sample) : [];
  for (const [index, entity] of chosen.entries()) await compareOne(api, audit, entity, index);
  return { sampled: SAMPLED_KINDS.map((kind) => sampled(kind, chosen, state)) };
}

function sampled(kind: SampledKind, chosen: readonly SampledEntity[], { live }: ReplayedState): Sampled {
  const ofKind = chosen.filter((entity) => entity.kind === kind);
  const liveCount = ofKind.filter(({ id }) => live[kind].has(id)).length;
  return { kind, live: liveCount, of: live[kind].size, ended: ofKind.length - liveCount };
}

/** The head is signed, so that two clients with different heads can prove it. */
function checkHead({ ledger_id, relayer_public_key, head }: ServedLedger, { findings, relayerKeys }: Audit): void {
  const relayerKey = currentKey(relayerKeys);
  const report = (sentence: string) => findings.add({ kind: 'HEAD', sentence }, head);
  if (relayer_public_key !== relayerKey) report(`The service has another relayer key, ${relayer_public_key}.`);
  const { signature, ...place } = head;
  const bytes = decodeSignature(signature);
  const message = Buffer.from(canonicalJson({ ledger_id, ...place }));
  if (!bytes || !verifyNatively(relayerKey, message, bytes)) {
    report('The relayer’s signature of the served head does not verify.');
  }
}

/** The served head must be the end of the chain, and not before the last entry on the network. */
async function followTo({ head }: ServedLedger, api: ServiceApi, audit: Audit): Promise<void> {
  const onNetwork = audit.end?.seq ?? 0;
  if (head.seq > onNetwork) await catchUp(api, audit, head.seq);
  const { end, findings } = audit;
  if (end?.seq === head.seq ? end.id === head.id : end === null && head.seq === 0) return;
  const sentence = `The service’s head is entry ${head.seq} (${head.id ?? 'none'}), but its entries end with ${end?.seq ?? 0} (${end?.id ?? 'none'}).`;
  findings.add({ kind: 'HEAD', sentence }, head);
}

async function catchUp(api: ServiceApi, audit: Audit, upTo: number): Promise<void> {
  const beyond = upTo - (audit.networkEnd?.seq ?? 0);
  if (beyond > MAX_BEYOND) {
    throw new ServiceApiError(
      `The service reports ${beyond} entries that are not on the network; at most ${MAX_BEYOND} are read.`,
    );
  }
  for (let end = audit.end?.seq ?? 0; end < upTo; ) {
    const entries = (await api.entriesAfter(end)).filter(({ seq }) => seq <= upTo);
    for (let index = 0; index < entries.length; index += EXTEND_BY) {
      await audit.extend(entries.slice(index, index + EXTEND_BY));
    }
    // Stop at entries that do not continue the chain, which are findings already: a service could send them endlessly.
    const reached = audit.end?.seq ?? 0;
    if (reached <= end) return;
    end = reached;
  }
}

/** Reads alternately by id and by domain. If the service has accepted more entries, they are replayed before the comparison. */
async function compareOne(api: ServiceApi, audit: Audit, chosen: SampledEntity, index: number): Promise<void> {
  for (let catchUps = 0; ; catchUps += 1) {
    const replayed = currentOf(audit.replay.state, chosen);
    const query: Query | null = replayed ? queryFor(api, audit.replay.state, replayed, index % 2 === 1) : null;
    if (!replayed || !query) return;
    const served = await query.read();
    const expected = possibleTimes(Date.now(), query.ends).map(query.expected);
    if (served && expected.some((view) => isDeepStrictEqual(comparable(served), comparable(view)))) return;
    const { head } = await api.ledger();
    if (head.seq > (audit.end?.seq ?? 0) && catchUps < MAX_CATCH_UPS) {
      await catchUp(api, audit, head.seq);
      continue;
    }
    const { reference } = query;
    const sentence = served
      ? `The service shows another state of ${reference}: ${differences(comparable(served), comparable(expected[0] ?? {}))}.`
      : `The service does not have ${reference}, which follows from the ledger.`;
    audit.findings.add({ kind: 'STATE', sentence }, { seq: replayed.seq, id: replayed.transactionId });
    return;
  }
}

/** The current state of the entity; undefined if it has ended since and is no longer kept. */
const currentOf = ({ live, lastEnded }: ReplayedState, { kind, id, seq }: SampledEntity): SampledEntity | undefined => {
  const ended: readonly SampledEntity[] = lastEnded[kind];
  return live[kind].get(id) ?? ended.find((entity) => entity.id === id && entity.seq >= seq);
};

interface Query {
  readonly reference: string;
  read(): Promise<object | null>;
  /** The response at the time `now` of the service's clock (ms). */
  expected(now: number): object;
  /** The times at which the response changes. */
  readonly ends: readonly Instant[];
}

/** The earliest time that the service's clock may show, and each later possible time at which the response changes. */
export const possibleTimes = (now: number, ends: readonly Instant[]): number[] => [
  now - CLOCKS_DIFFER_MS,
  ...ends.map((end) => Date.parse(end)).filter((end) => Math.abs(end - now) <= CLOCKS_DIFFER_MS),
];

/** When parts of an identity expire: invitations, the eligibility of removed guardians, requests for recovery. */
export const endsOf = ({ recovery }: Beo): Instant[] => [
  ...recovery.guardians.flatMap(({ addedAt, countsUntil }) => [
    invitationEnds(addedAt),
    ...(countsUntil ? [countsUntil] : []),
  ]),
  ...recovery.requests.map(({ openedAt }) => requestEnds(openedAt)),
];

/** Null if the replay no longer keeps the entities that the response depends on. */
function queryFor(api: ServiceApi, state: ReplayedState, entity: SampledEntity, byDomain: boolean): Query | null {
  if (entity.kind === 'TOKEN') return queryForToken(api, state, entity);
  const reference =
    byDomain && entity.domain !== null && state.live[entity.kind].has(entity.id) ? entity.domain : entity.id;
  return entity.kind === 'BEO'
    ? {
        reference,
        read: () => api.beo(reference),
        expected: (now) => beoView(entity, 'ACCEPTED', now),
        ends: endsOf(entity),
      }
    : { reference, read: () => api.ieo(reference), expected: () => ieoView(entity, 'ACCEPTED'), ends: [] };
}

function queryForToken(api: ServiceApi, { get, lastEnded }: ReplayedState, token: Token): Query | null {
  const beoOf = (id: string) => get('BEO', id) ?? lastEnded.BEO.find((ended) => ended.id === id);
  const beo = beoOf(token.beoId);
  const grantee = token.grantee.kind === 'BEO' ? beo : get('IEO', token.grantee.id);
  if (!beo || !grantee) return null;
  return {
    reference: token.id,
    read: () => api.consent(token.id),
    ends: token.expiresAt === null ? [] : [token.expiresAt],
    expected(now) {
      const reason = tokenProblem(token, { beo, grantee }, {}, now);
      const view = tokenView(token, { beo, grantee }, 'ACCEPTED', now);
      return { valid: reason === null, ...(reason === null ? {} : { reason }), ...view };
    },
  };
}

/** The view without the relay status, which does not follow from the ledger. */
const comparable = (view: object): object => {
  const { ledger, ...rest } = view as Record<string, unknown> & { ledger?: { seq?: unknown } };
  return { ...rest, ledger_seq: ledger?.seq };
};
