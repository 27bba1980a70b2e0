import type { Pool } from 'pg';
import { checkEntry } from '../../../auditor/audit/check-entry.ts';
import { createFindings } from '../../../auditor/audit/findings.ts';
import { createReplay, type Replay } from '../../../auditor/audit/replay.ts';
import { createMemoryState, type MemoryState } from '../../../auditor/audit/test-memory-state.ts';
import { hasEnded, type Ieo } from '../../../protocol/entities/ieo.ts';
import { hasExpired, type Token } from '../../../protocol/entities/token.ts';
import type { LedgerId } from '../../../protocol/ids.ts';
import { decodeEntry } from '../../../protocol/ledger/entry.ts';
import { parseItem } from '../../ledger/ans104.ts';

/** An event without its id. */
export interface ReplayedEvent {
  readonly type: string;
  readonly subject: string;
  readonly transactionId: string;
  readonly seq: number;
  readonly at: string;
}

interface Placed {
  readonly id: string;
  readonly seq: number;
  readonly accepted_at: string;
  readonly item: Buffer;
}

/**
 * The events of an institution according to a replay of the whole ledger, by comparing the state before and after each entry.
 * It knows neither the operations nor the tables that the service derives events from. Without corrected records.
 */
export async function replayedEvents(
  pool: Pool,
  ledgerId: LedgerId,
  ieoId: string,
  until: string,
): Promise<ReplayedEvent[]> {
  const { rows } = await pool.query<Placed>('SELECT id, seq, accepted_at, item FROM ledger_entries ORDER BY seq');
  const { rows: head } = await pool.query<{ relayer_public_key: string }>('SELECT relayer_public_key FROM ledger_head');
  const rules = { relayerKey: head[0]?.relayer_public_key ?? '', ledgerId, suffix: 'bsp' };
  const findings = createFindings();
  const replay = createReplay(createMemoryState(), findings);
  const expired = new Set<string>();
  const events: ReplayedEvent[] = [];
  let last = 0;
  for (const { id, seq, accepted_at: at, item } of rows) {
    events.push(...expiries(replay, ieoId, at, last, expired));
    const before = stateOf(replay, ieoId);
    const { data, owner } = parseItem(item);
    replay.apply(checkEntry({ id, owner: Buffer.from(owner).toString('hex') }, decodeEntry(data), rules, []));
    const changes = changesOf(before, stateOf(replay, ieoId), Date.parse(at), ieoId);
    events.push(...changes.toSorted().map((change) => replayedEvent(change, { transactionId: id, seq, at })));
    last = seq;
  }
  if (findings.total > 0) throw new Error('The ledger has breaches.');
  return [...events, ...expiries(replay, ieoId, until, last, expired)];
}

function replayedEvent(change: string, place: Omit<ReplayedEvent, 'type' | 'subject'>): ReplayedEvent {
  const [type = '', subject = ''] = change.split(' ');
  return { type, subject, ...place };
}

function expiries(
  { state }: Replay<MemoryState>,
  ieoId: string,
  until: string,
  seq: number,
  known: Set<string>,
): ReplayedEvent[] {
  const due = [...state.live.TOKEN.values()].filter(
    (token) => token.grantee.id === ieoId && !known.has(token.id) && hasExpired(token, Date.parse(until)),
  );
  for (const { id } of due) known.add(id);
  return due
    .map(({ id, transactionId, expiresAt }) => {
      return { type: 'consent.expired', subject: id, transactionId, seq, at: expiresAt ?? '' };
    })
    .toSorted((one, other) => (`${one.at}${one.subject}` < `${other.at}${other.subject}` ? -1 : 1));
}

/** Live entities are replaced, never changed, so that the maps are a snapshot. */
const stateOf = ({ state }: Replay<MemoryState>, ieoId: string) => ({
  tokens: new Map([...state.live.TOKEN].filter(([, { grantee }]) => grantee.id === ieoId)),
  beos: new Map(state.live.BEO),
  ieo: state.get('IEO', ieoId),
});

type State = ReturnType<typeof stateOf>;

function changesOf(before: State, after: State, now: number, ieoId: string): string[] {
  const live = [...before.tokens.values()].filter((token) => !hasExpired(token, now));
  const holders = new Set(live.map(({ beoId }) => beoId));
  const granted = [...after.tokens.keys()].filter((id) => !before.tokens.has(id));
  const wasDestroyed = ({ beoId }: Token) => !after.beos.has(beoId);
  const revoked =
    !after.ieo || hasEnded(after.ieo)
      ? []
      : [...before.tokens.values()].filter(
          (token) => !after.tokens.has(token.id) && !(wasDestroyed(token) && hasExpired(token, now)),
        );
  return [
    ...granted.map((id) => `consent.granted ${id}`),
    ...revoked.map(({ id }) => `consent.revoked ${id}`),
    ...[...holders].flatMap((id) => holderChanges(before, after, id)),
    ...institutionChanges(before.ieo, after.ieo).map((type) => `${type} ${ieoId}`),
  ];
}

function holderChanges(before: State, after: State, id: string): string[] {
  const [one, other] = [before.beos.get(id as never), after.beos.get(id as never)];
  if (!other) return [`beo.destroyed ${id}`];
  return [
    ...(one?.status !== other.status ? [`beo.${other.status === 'LOCKED' ? 'locked' : 'unlocked'} ${id}`] : []),
    ...(one?.keyVersion !== other.keyVersion ? [`beo.key_rotated ${id}`] : []),
  ];
}

function institutionChanges(before: Ieo | undefined, after: Ieo | undefined): string[] {
  if (!before || !after) return [];
  if (before.status !== after.status) return ['ieo.status_changed'];
  return before.certification !== after.certification ? ['ieo.certification_changed'] : [];
}
