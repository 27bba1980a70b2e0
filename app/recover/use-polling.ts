'use client';

import { useEffect } from 'react';
import { read } from '../_session/send.ts';
import { clockSkew } from '../_trpc/clock.ts';
import type { KeptRecovery } from './kept-recovery.ts';
import { identityIn, type LinkStatus, linkStatusOf, pause, type StatusRead, visibility } from './request-status.ts';

type PollingProps = { onRead: (read: StatusRead) => void; onUnreachable: () => void };

/** Polls the status of a request while the page is visible, and at once when it becomes visible again. Null does not poll. */
export function usePolling(kept: KeptRecovery | null, { onRead, onUnreachable }: PollingProps): void {
  useEffect(() => {
    if (!kept) return;
    let cancelled = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let failures = 0;
    let lastRead = '';
    let lastLinks: readonly LinkStatus[] = [];
    let busy = false;

    const poll = async () => {
      if (busy || document.hidden) return;
      busy = true;
      clearTimeout(timer);
      const answer = await read((client) => client.getBEO(kept.beoId));
      const at = Date.now() - clockSkew();
      const wait = answer.ok ? 0 : Number(answer.failure.details?.retry_after_seconds ?? 0) * 1_000;
      const identity = identityIn(answer);
      let needsLinks = false;
      if (identity !== undefined) {
        failures = 0;
        const view = identity ? visibility(kept, identity) : 'plain';
        const state = JSON.stringify(identity);
        needsLinks = view === 'hidden';
        const links =
          needsLinks || (view === 'partial' && state !== lastRead) ? await readLinks(kept, lastLinks) : null;
        lastRead = state;
        lastLinks = links ?? lastLinks;
        if (!cancelled) onRead({ identity, links, at });
      } else {
        failures += 1;
        if (!cancelled && failures > 1) onUnreachable();
      }
      busy = false;
      if (!cancelled) timer = setTimeout(poll, pause({ failures, links: needsLinks, wait }));
    };

    const pollNow = () => void poll();
    document.addEventListener('visibilitychange', pollNow);
    window.addEventListener('online', pollNow);
    pollNow();
    return () => {
      cancelled = true;
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', pollNow);
      window.removeEventListener('online', pollNow);
    };
  }, [kept, onRead, onUnreachable]);
}

/** In the order of the links. A link that has confirmed is not read again. */
const readLinks = ({ request }: KeptRecovery, lastLinks: readonly LinkStatus[]): Promise<LinkStatus[]> =>
  Promise.all(
    (request?.links ?? []).map(async ({ url }, index) => {
      const before = lastLinks[index];
      if (before?.state === 'confirmed') return before;
      return (
        linkStatusOf(await read((client) => client.getRecoveryConfirmation(url))) ??
        before ?? { state: 'open', confirmations: null }
      );
    }),
  );
