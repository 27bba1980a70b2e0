import type { Pool } from 'pg';
import { createTranslator } from 'use-intl/core';
import { entryWords } from '../../../messages/entry-words.ts';
import type { Language } from '../../../messages/languages.ts';
import { type Messages, messagesIn } from '../../../messages/messages.ts';
import { partsInUtc } from '../../../messages/words-in-utc.ts';
import type { Beo } from '../../../protocol/entities/beo.ts';
import type { Ieo } from '../../../protocol/entities/ieo.ts';
import type { Instant } from '../../../protocol/entities/recorded.ts';
import { refusal } from '../../../protocol/errors.ts';
import { feedEntryIdOf, type LedgerId } from '../../../protocol/ids.ts';
import type { Readers } from '../../entities/readers.ts';
import { type EntrySummary, entriesOf } from '../../ledger/read.ts';
import { LIST_BOUNDS } from '../../platform/db/bounds.ts';
import type { Cursors } from '../../platform/db/cursor.ts';
import { available } from '../../platform/db/pool.ts';
import { stateEntries } from './entry-facts.ts';
import { historyOf } from './history.ts';
import type { Page } from './list-ieos.ts';
import { nameEntries } from './name-entries.ts';

/** The public events of one identity or institution, newest first. Protocol §11. */
export interface Feed {
  /** The same for every page of it. */
  readonly id: string;
  readonly title: string;
  readonly language: Language;
  readonly updatedAt: Instant;
  /** The page about the entity. */
  readonly pageUrl: string;
  /** The address of this page of the feed. */
  readonly url: string;
  /** The address of the page with older entries; null on the last one. */
  readonly nextUrl: string | null;
  readonly entries: readonly FeedEntry[];
}

export interface FeedEntry {
  readonly id: string;
  readonly title: string;
  /** The page about the ledger entry. */
  readonly pageUrl: string;
  readonly at: Instant;
  readonly function: string;
}

type EventParts = Parameters<typeof historyOf>[0];

type Parts = EventParts & {
  readonly pool: Pool;
  readonly readers: Readers;
  readonly cursors: Cursors;
  readonly ledgerId: LedgerId;
  readonly publicUrl: () => string;
};

/** By any form of the alias rule. @throws VALIDATION_FAILED, BEO_NOT_FOUND, IEO_NOT_FOUND */
export async function readFeed(
  parts: Parts,
  kind: 'BEO' | 'IEO',
  reference: string,
  { limit, cursor }: Page,
  language: Language,
): Promise<Feed> {
  const entity = await parts.readers[kind].entity(reference, kind === 'BEO' ? 'beoId' : 'ieoId');
  if (!entity) throw refusal(`${kind}_NOT_FOUND`);
  const scope = `feed of ${entity.id}`;
  const before = cursor === null ? null : Number(parts.cursors.open(scope, cursor)[0]);
  const found = await eventsOf(parts, entity, limit + 1, before);
  const shown = await stateEntries(parts, await nameEntries(parts, found.slice(0, limit)));
  const last = shown.at(-1);
  const next = found.length > limit && last ? parts.cursors.seal(scope, [String(last.seq)]) : null;
  const site = parts.publicUrl();
  const urlOf = (position: string | null): string => {
    const parameters = new URLSearchParams({
      ...(limit !== LIST_BOUNDS.fallback && { limit: String(limit) }),
      ...(position !== null && { cursor: position }),
    });
    const address = `${site}/api/${kind === 'BEO' ? 'beos' : 'ieos'}/${entity.id}/feed`;
    return parameters.size > 0 ? `${address}?${parameters}` : address;
  };
  const words = wordsIn(language);
  return {
    id: `urn:uuid:${entity.id}`,
    title: words.t('feed', { name: entity.domain ?? entity.id }),
    language,
    updatedAt: shown[0]?.accepted_at ?? entity.createdAt,
    pageUrl: `${site}/explore/${entity.id}`,
    url: urlOf(cursor),
    nextUrl: next === null ? null : urlOf(next),
    entries: shown.map((entry) => ({
      id: feedEntryIdOf(parts.ledgerId, entry.id),
      title: entryWords(words, entry),
      pageUrl: `${site}/explore/${entry.id}`,
      at: entry.accepted_at,
      function: entry.function,
    })),
  };
}

function wordsIn(language: Language) {
  const translator = <Name extends 'entryWords' | 'operations' | 'scope'>(namespace: Name) =>
    createTranslator<Messages, Name>({
      locale: language,
      messages: messagesIn(language),
      namespace,
      timeZone: 'UTC',
    });
  const [t, operations, scope] = [translator('entryWords'), translator('operations'), translator('scope')];
  return partsInUtc(language, { t, operations, scope });
}

/** The newest events of an identity, as its feed has them. @throws VALIDATION_FAILED, BEO_NOT_FOUND */
export async function latestEvents(
  parts: EventParts & Pick<Parts, 'pool' | 'readers'>,
  reference: string,
  limit: number,
) {
  const beo = await parts.readers.BEO.entity(reference, 'reference');
  if (!beo) throw refusal('BEO_NOT_FOUND');
  return stateEntries(parts, await nameEntries(parts, await eventsOf(parts, beo, limit, null)));
}

/** Of an identity also its consents, which are public (GET /api/consent/history); of an institution not those that it received. */
async function eventsOf(
  parts: EventParts,
  entity: Beo | Ieo,
  limit: number,
  before: number | null,
): Promise<EntrySummary[]> {
  if (entity.kind === 'IEO' || entity.status === 'DESTROYED') return historyOf(parts, entity.id, limit, before);
  const elsewhere = await seqsOfConsents(parts, entity.id, limit, before ?? Number.MAX_SAFE_INTEGER);
  return entriesOf(parts, { entityId: entity.id, elsewhere }, limit, before);
}

/** Withdrawals are found among this many of the newest consents: a holder decides how many there are. */
const MAX_CONSENTS = 1_000;

/** The newest seqs below `before` at which consents of a holder were given or withdrawn one by one. */
async function seqsOfConsents(
  { listPool }: Pick<EventParts, 'listPool'>,
  beoId: string,
  limit: number,
  before: number,
) {
  const { rows } = await available(() =>
    listPool.query<{ seq: number }>({
      name: 'seqs-of-consents',
      text: `(SELECT created_seq AS seq FROM tokens WHERE beo_id = $1 AND created_seq < $2 ORDER BY created_seq DESC LIMIT $3)
        UNION
        (SELECT seq FROM (SELECT seq, revoked_at FROM tokens WHERE beo_id = $1 ORDER BY created_seq DESC
           LIMIT ${MAX_CONSENTS}) AS newest
         WHERE revoked_at IS NOT NULL AND seq < $2 ORDER BY seq DESC LIMIT $3)`,
      values: [beoId, before, limit],
    }),
  );
  return rows.map(({ seq }) => seq);
}
