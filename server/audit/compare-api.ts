import { isDeepStrictEqual } from 'node:util';
import { type Beo, beoView } from '../../protocol/entities/beo.ts';
import { invitationEnds } from '../../protocol/entities/guardian.ts';
import { ieoView } from '../../protocol/entities/ieo.ts';
import type { Instant } from '../../protocol/entities/recorded.ts';
import { requestEnds } from '../../protocol/entities/social-recovery.ts';
import { type Token, tokenView } from '../../protocol/entities/token.ts';
import { tokenProblem } from '../../protocol/records/token-use.ts';
import { canonicalJson } from '../../protocol/signing/canonical-json.ts';
import { decodeSignature } from '../../protocol/signing/ed25519.ts';
import { verifyNatively } from '../crypto/ed25519.ts';
import type { Audit } from './audit.ts';
import { differences } from './compare-database.ts';
import type { LivingState } from './living-state.ts';
import { overdue } from './overdue.ts';
import { ASKED_KINDS, type Asked, type AskedKind, chooseSample } from './sample.ts';
import { type ServedLedger, type ServiceApi, ServiceApiError } from './service-api.ts';

export interface ApiComparison {
  readonly asked: readonly Sampled[];
}

interface Sampled {
  readonly kind: AskedKind;
  /** How many were asked for, of all that live. */
  readonly living: number;
  readonly of: number;
  /** How many of those that had ended. */
  readonly ended: number;
}

const EXTEND_BY = 250;
const MAX_CATCH_UPS = 20;
/** What a service may have accepted that the network does not have yet: many times the backlog at which it stops accepting. */
const MOST_BEYOND = 2_000_000;
/** Whether something has run out is a matter of the service's clock, not of this one. */
const CLOCKS_DIFFER_MS = 120_000;

/**
 * Holds what a running service says against the ledger as the network has it: its entries that are not on the network yet
 * (they take part in the replay), its signed head, and a sample of identities, institutions and consents, of each half the newest.
 * @throws {ServiceApiError}
 */
export async function compareWithApi(
  api: ServiceApi,
  audit: Audit,
  { sample, relayerKey, maxDelayMs }: { sample: number; relayerKey: string; maxDelayMs: number },
): Promise<ApiComparison> {
  const served = await api.ledger();
  judgeHead(served, relayerKey, audit);
  await followTo(served, api, audit);
  overdue(audit, maxDelayMs, Date.parse(served.head.at));
  const { state } = audit.replay;
  const chosen = audit.complete ? chooseSample(state, sample) : [];
  for (const [index, entity] of chosen.entries()) await compareOne(api, audit, entity, index);
  return { asked: ASKED_KINDS.map((kind) => sampled(kind, chosen, state)) };
}

function sampled(kind: AskedKind, chosen: readonly Asked[], { living }: LivingState): Sampled {
  const ofKind = chosen.filter((entity) => entity.kind === kind);
  const alive = ofKind.filter(({ id }) => living[kind].has(id)).length;
  return { kind, living: alive, of: living[kind].size, ended: ofKind.length - alive };
}

/** The head is signed: whoever keeps it can show it to somebody who was shown another one. */
function judgeHead(
  { ledger_id, relayer_public_key, head }: ServedLedger,
  relayerKey: string,
  { findings }: Audit,
): void {
  const report = (sentence: string) => findings.add({ kind: 'HEAD', sentence }, head);
  if (relayer_public_key !== relayerKey) report(`The service names another relayer key, ${relayer_public_key}.`);
  const { signature, ...place } = head;
  const bytes = decodeSignature(signature);
  const message = Buffer.from(canonicalJson({ ledger_id, ...place }));
  if (!bytes || !verifyNatively(relayerKey, message, bytes)) {
    report('The relayer’s signature of the served head is not good.');
  }
}

/** What the service says to be its end must be where the chain leads, and cannot lie before what the network has. */
async function followTo({ head }: ServedLedger, api: ServiceApi, audit: Audit): Promise<void> {
  const onNetwork = audit.end?.seq ?? 0;
  if (head.seq > onNetwork) await catchUp(api, audit, head.seq);
  const { end, findings } = audit;
  if (end?.seq === head.seq ? end.id === head.id : end === null && head.seq === 0) return;
  const sentence = `The service says that it ends with entry ${head.seq} (${head.id ?? 'none'}), and leads to entry ${end?.seq ?? 0} (${end?.id ?? 'none'}).`;
  findings.add({ kind: 'HEAD', sentence }, head);
}

async function catchUp(api: ServiceApi, audit: Audit, upTo: number): Promise<void> {
  const beyond = upTo - (audit.networkEnd?.seq ?? 0);
  if (beyond > MOST_BEYOND) {
    throw new ServiceApiError(
      `The service says that ${beyond} entries are not on the network; ${MOST_BEYOND} are read.`,
    );
  }
  for (let end = audit.end?.seq ?? 0; end < upTo; ) {
    const entries = (await api.entriesAfter(end)).filter(({ seq }) => seq <= upTo);
    for (let index = 0; index < entries.length; index += EXTEND_BY) {
      await audit.extend(entries.slice(index, index + EXTEND_BY));
    }
    // Entries that do not continue the chain are findings by now; whoever sends them could do so without end.
    const reached = audit.end?.seq ?? 0;
    if (reached <= end) return;
    end = reached;
  }
}

/** Asks in turn by id and by domain; where the service has gone on, the replay follows before they are compared. */
async function compareOne(api: ServiceApi, audit: Audit, chosen: Asked, index: number): Promise<void> {
  for (let catchUps = 0; ; catchUps += 1) {
    const replayed = presently(audit.replay.state, chosen);
    const question = replayed && questionAbout(api, audit.replay.state, replayed, index % 2 === 1);
    if (!replayed || !question) return;
    const served = await question.ask();
    const expected = momentsAbout(Date.now(), question.ends).map(question.expected);
    if (served && expected.some((view) => isDeepStrictEqual(comparable(served), comparable(view)))) return;
    const { head } = await api.ledger();
    if (head.seq > (audit.end?.seq ?? 0) && catchUps < MAX_CATCH_UPS) {
      await catchUp(api, audit, head.seq);
      continue;
    }
    const { reference } = question;
    const sentence = served
      ? `The service shows ${reference} otherwise: ${differences(comparable(served), comparable(expected[0] ?? {}))}.`
      : `The service does not know ${reference}, which follows from the ledger.`;
    audit.findings.add({ kind: 'STATE', sentence }, { seq: replayed.seq, id: replayed.transactionId });
    return;
  }
}

/** As it is now; undefined where it has ended since, and nothing more is known of it. */
const presently = ({ living, lastEnded }: LivingState, { kind, id, seq }: Asked): Asked | undefined => {
  const ended: readonly Asked[] = lastEnded[kind];
  return living[kind].get(id) ?? ended.find((entity) => entity.id === id && entity.seq >= seq);
};

interface Question {
  readonly reference: string;
  ask(): Promise<object | null>;
  /** What the answer should be, where the service's clock says `now` (ms). */
  expected(now: number): object;
  /** When something in it runs out. */
  readonly ends: readonly Instant[];
}

/** The earliest that the service's clock may say, and every moment after it at which the answer changes. */
export const momentsAbout = (now: number, ends: readonly Instant[]): number[] => [
  now - CLOCKS_DIFFER_MS,
  ...ends.map((end) => Date.parse(end)).filter((end) => Math.abs(end - now) <= CLOCKS_DIFFER_MS),
];

/** When something of an identity runs out: invitations, the time of removed guardians, requests for recovery. */
export const endsOf = ({ recovery }: Beo): Instant[] => [
  ...recovery.guardians.flatMap(({ addedAt, countsUntil }) => [
    invitationEnds(addedAt),
    ...(countsUntil ? [countsUntil] : []),
  ]),
  ...recovery.requests.map(({ openedAt }) => requestEnds(openedAt)),
];

/** Null where the replay has forgotten what the answer depends on. */
function questionAbout(api: ServiceApi, state: LivingState, entity: Asked, byDomain: boolean): Question | null {
  if (entity.kind === 'TOKEN') return questionAboutToken(api, state, entity);
  const reference =
    byDomain && entity.domain !== null && state.living[entity.kind].has(entity.id) ? entity.domain : entity.id;
  return entity.kind === 'BEO'
    ? {
        reference,
        ask: () => api.beo(reference),
        expected: (now) => beoView(entity, 'ACCEPTED', now),
        ends: endsOf(entity),
      }
    : { reference, ask: () => api.ieo(reference), expected: () => ieoView(entity, 'ACCEPTED'), ends: [] };
}

function questionAboutToken(api: ServiceApi, { get, lastEnded }: LivingState, token: Token): Question | null {
  const beoOf = (id: string) => get('BEO', id) ?? lastEnded.BEO.find((ended) => ended.id === id);
  const beo = beoOf(token.beoId);
  const grantee = token.grantee.kind === 'BEO' ? beo : get('IEO', token.grantee.id);
  if (!beo || !grantee) return null;
  return {
    reference: token.id,
    ask: () => api.consent(token.id),
    ends: token.expiresAt === null ? [] : [token.expiresAt],
    expected(now) {
      const reason = tokenProblem(token, { beo, grantee }, {}, now);
      const view = tokenView(token, { beo, grantee }, 'ACCEPTED', now);
      return { valid: reason === null, ...(reason === null ? {} : { reason }), ...view };
    },
  };
}

/** A view without how far the operation has got, which the ledger does not say. */
const comparable = (view: object): object => {
  const { ledger, ...rest } = view as Record<string, unknown> & { ledger?: { seq?: unknown } };
  return { ...rest, ledger_seq: ledger?.seq };
};
