import type { Pool } from 'pg';
import { isTokenId, isUuid } from '../../../protocol/ids.ts';
import { available } from '../../platform/db/pool.ts';

/** The entity that an entry is about, by the domains that people know. */
export interface EntrySubject {
  readonly kind: 'identity' | 'institution' | 'consent' | 'proposal';
  /** Of the entity, the holder of a consent, or the institution of a proposal; null once its identity was destroyed. */
  readonly domain: string | null;
  /** Of the grantee of a consent. */
  readonly grantee: string | null;
}

export type Named<Entry> = Entry & { readonly subject: EntrySubject | null };

interface Parts {
  readonly pool: Pool;
}

/** Adds the subject of each entry; null if it is the ledger. */
export async function nameEntries<Entry extends { readonly entity_id: string }>(
  { pool }: Parts,
  entries: readonly Entry[],
): Promise<Named<Entry>[]> {
  const ids = [...new Set(entries.map(({ entity_id }) => entity_id))];
  const { rows } = await available(() =>
    pool.query<EntrySubject & { id: string }>({
      name: 'subjects-of-entries',
      text: SUBJECTS,
      values: [ids.filter(isUuid), ids.filter(isTokenId)],
    }),
  );
  const subjects = new Map(rows.map(({ id, ...subject }) => [id, subject]));
  return entries.map((entry) => ({ ...entry, subject: subjects.get(entry.entity_id) ?? null }));
}

const SUBJECTS = `
  SELECT b.id::text, 'identity' AS kind, b.domain, NULL AS grantee
    FROM unnest($1::uuid[]) AS asked (id) JOIN beos b ON b.id = asked.id
  UNION ALL SELECT i.id::text, 'institution', i.domain, NULL
    FROM unnest($1::uuid[]) AS asked (id) JOIN ieos i ON i.id = asked.id
  UNION ALL SELECT p.id::text, 'proposal', i.domain, NULL
    FROM unnest($1::uuid[]) AS asked (id) JOIN proposals p ON p.id = asked.id JOIN ieos i ON i.id = p.ieo_id
  UNION ALL SELECT t.id, 'consent', holder.domain, coalesce(i.domain, grantee.domain)
    FROM unnest($2::text[]) AS asked (id) JOIN tokens t ON t.id = asked.id JOIN beos holder ON holder.id = t.beo_id
    LEFT JOIN ieos i ON t.grantee_kind = 'IEO' AND i.id = t.grantee_id
    LEFT JOIN beos grantee ON t.grantee_kind = 'BEO' AND grantee.id = t.grantee_id`;
