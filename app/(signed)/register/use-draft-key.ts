import { useEffect, useState } from 'react';
import { draftFor, dropDraft, markDraftSaved } from '../../_keys/browser-copy.ts';
import { untilRead } from '../../_keys/read.ts';
import { type OpenedKey, openedKey } from '../../_keys/secret.ts';

export type DraftKey =
  | { readonly state: 'making' | 'failed' }
  | {
      readonly state: 'made';
      readonly key: OpenedKey;
      /** Whether a reload finds it again. */
      readonly stored: boolean;
      /** Whether the person had a copy already when the page was loaded. */
      readonly hasCopy: boolean;
    };

const nameOf = (domain: string) => `institution:${domain}`;

/** The key drafted for a domain in this browser, or a new one; null makes none. */
export function useDraftKey(domain: string | null): DraftKey {
  const [made, setMade] = useState<{ readonly domain: string; readonly draft: DraftKey } | null>(null);

  useEffect(() => {
    if (domain === null) return;
    const over = new AbortController();
    const make = async (): Promise<DraftKey> => {
      const { entropy, kept, saved } = await untilRead(() => draftFor(nameOf(domain)), over.signal);
      return { state: 'made', key: await openedKey(entropy), stored: kept, hasCopy: saved };
    };
    make()
      .catch((): DraftKey => ({ state: 'failed' }))
      .then((draft) => over.signal.aborted || setMade({ domain, draft }));
    return () => over.abort();
  }, [domain]);

  return made?.domain === domain ? made.draft : { state: 'making' };
}

export const markCopied = (domain: string): Promise<void> => markDraftSaved(nameOf(domain));
export const dropDraftKey = (domain: string): Promise<void> => dropDraft(nameOf(domain));
