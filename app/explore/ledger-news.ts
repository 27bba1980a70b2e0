'use client';

import { useEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import type { Entry } from '../_ui/entries.tsx';
import { useOperationLabel } from '../_ui/use-operation-label.ts';

interface News {
  /** The text for screen readers: entries that arrived or became final since the last read. */
  readonly news: string;
  /** Ids of the entries that arrived after the page was rendered. */
  readonly arrived: ReadonlySet<string>;
}

const NOTHING: News = { news: '', arrived: new Set() };

/** Compares each response with the one before. Intermediate statuses (posted, confirmed) are not announced. */
export function useLedgerNews(entries: readonly Entry[] | undefined): News {
  const before = useRef<readonly Entry[] | null>(null);
  const [state, setState] = useState(NOTHING);
  const t = useTranslations('home.latest');
  const labelOf = useOperationLabel();

  useEffect(() => {
    const known = before.current;
    if (entries) before.current = entries;
    if (!entries || !known || known === entries) return;
    const newest = known[0]?.seq ?? 0;
    const fresh = entries.filter(({ seq }) => seq > newest);
    const settled = entries.filter(
      ({ id, status }) => status === 'FINAL' && known.some((old) => old.id === id && old.status !== 'FINAL'),
    );
    const news = [
      ...fresh.map((entry) => t('arrived', { seq: entry.seq, what: labelOf(entry.function) })),
      ...settled.map(({ seq }) => t('settled', { seq })),
    ].join(' ');
    if (news) setState((old) => ({ news, arrived: new Set([...old.arrived, ...fresh.map(({ id }) => id)]) }));
  }, [entries, t, labelOf]);

  return state;
}
