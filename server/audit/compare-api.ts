import { isDeepStrictEqual } from 'node:util';
import { canonicalJson } from '../../protocol/canonical-json.ts';
import { decodeSignature } from '../../protocol/ed25519.ts';
import { type Beo, beoView } from '../../protocol/entities.ts';
import { verifyNatively } from '../crypto/ed25519.ts';
import type { Audit } from './audit.ts';
import { differences } from './compare-database.ts';
import { overdue } from './overdue.ts';
import type { ServedLedger, ServiceApi } from './service-api.ts';

export interface ApiComparison {
  /** Identities that were asked for, and how many there are. */
  readonly asked: number;
  readonly living: number;
}

const EXTEND_BY = 250;
const MAX_CATCH_UPS = 20;
/** Whether an invitation has run out is a matter of the service's clock, not of this one. */
const CLOCKS_DIFFER_MS = 120_000;

/**
 * Holds what a running service says against the ledger as the network has it: its entries that are not on the network yet
 * (they take part in the replay), its signed head, and a sample of identities, half of them the newest.
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
  const living = audit.replay.state.beos.size;
  if (!audit.complete) return { asked: 0, living };
  const chosen = choose(audit, sample);
  for (const [index, beo] of chosen.entries()) await compareBeo(api, audit, beo, index);
  return { asked: chosen.length, living };
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
  for (let end = audit.end?.seq ?? 0; end < upTo; ) {
    const entries = (await api.entriesAfter(end)).filter(({ seq }) => seq <= upTo);
    for (let index = 0; index < entries.length; index += EXTEND_BY) {
      await audit.extend(entries.slice(index, index + EXTEND_BY));
    }
    const reached = entries.at(-1)?.seq ?? end;
    if (reached <= end) return;
    end = reached;
  }
}

function choose({ replay }: Audit, sample: number): Beo[] {
  const { beos, lastDestroyed } = replay.state;
  const newest = newestOf([...beos.values()], Math.ceil(sample / 2));
  const destroyed = lastDestroyed.slice(-Math.ceil(sample / 10));
  const rest = sample - newest.length - destroyed.length;
  return [...newest, ...destroyed, ...randomOf(beos, new Set(newest), rest)].slice(0, sample);
}

const newestOf = (beos: Beo[], count: number): Beo[] => beos.sort((one, other) => other.seq - one.seq).slice(0, count);

/** Reservoir sampling: every other identity has the same chance. */
function randomOf(beos: ReadonlyMap<string, Beo>, taken: ReadonlySet<Beo>, count: number): Beo[] {
  const chosen: Beo[] = [];
  let passed = 0;
  for (const beo of beos.values()) {
    if (taken.has(beo)) continue;
    passed += 1;
    const place = chosen.length < count ? chosen.length : Math.floor(Math.random() * passed);
    if (place < count) chosen[place] = beo;
  }
  return chosen;
}

/** Asks in turn by id and by domain; where the service has gone on, the replay follows before they are compared. */
async function compareBeo(api: ServiceApi, audit: Audit, chosen: Beo, index: number): Promise<void> {
  for (let catchUps = 0; ; catchUps += 1) {
    const replayed = audit.replay.state.beos.get(chosen.id) ?? chosen;
    const reference = index % 2 === 1 && replayed.domain ? replayed.domain : replayed.id;
    const served = (await api.beo(reference)) as ServedBeo | null;
    const views = [-CLOCKS_DIFFER_MS, CLOCKS_DIFFER_MS].map((off) => beoView(replayed, 'ACCEPTED', Date.now() + off));
    if (served && views.some((view) => isDeepStrictEqual(comparable(served), comparable(view)))) return;
    const { head } = await api.ledger();
    if (head.seq > (audit.end?.seq ?? 0) && catchUps < MAX_CATCH_UPS) {
      await catchUp(api, audit, head.seq);
      continue;
    }
    const sentence = served
      ? `The service shows ${reference} otherwise: ${differences(comparable(served), comparable(views[0] ?? {}))}.`
      : `The service does not know ${reference}, which follows from the ledger.`;
    audit.findings.add({ kind: 'STATE', sentence }, { seq: replayed.seq, id: replayed.transactionId });
    return;
  }
}

type ServedBeo = Record<string, unknown> & { ledger?: { seq?: unknown } };

/** A view without how far the operation has got, which the ledger does not say. */
const comparable = (view: object): object => {
  const { ledger, ...rest } = view as ServedBeo;
  return { ...rest, ledger_seq: ledger?.seq };
};
