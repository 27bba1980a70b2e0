import { useEffect, useState } from 'react';
import { draftFor, dropDraft, markDraftSaved } from '../../_keys/browser-copy.ts';
import { type OpenedKey, openedKey } from '../../_keys/secret.ts';

export type Making =
  | { readonly state: 'making' | 'failed' }
  | {
      readonly state: 'made';
      readonly key: OpenedKey;
      /** Whether a reload finds it again. */
      readonly kept: boolean;
      /** Whether the person had a copy already when the page was loaded. */
      readonly saved: boolean;
    };

const nameOf = (domain: string) => `institution:${domain}`;

/** The key begun for a domain in this browser, or a new one; made only once `wanted`. */
export function useDraftKey(domain: string | null, wanted: boolean): Making {
  const [made, setMade] = useState<{ readonly domain: string; readonly making: Making } | null>(null);

  useEffect(() => {
    if (!wanted || domain === null) return;
    let gone = false;
    const make = async (): Promise<Making> => {
      const { entropy, kept, saved } = await draftFor(nameOf(domain));
      return { state: 'made', key: await openedKey(entropy), kept, saved };
    };
    make()
      .catch((): Making => ({ state: 'failed' }))
      .then((making) => gone || setMade({ domain, making }));
    return () => {
      gone = true;
    };
  }, [domain, wanted]);

  return made?.domain === domain ? made.making : { state: 'making' };
}

export const draftIsSaved = (domain: string): Promise<void> => markDraftSaved(nameOf(domain));
export const draftIsKept = (domain: string): Promise<void> => dropDraft(nameOf(domain));
