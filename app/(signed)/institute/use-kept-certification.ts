import { useEffect, useLayoutEffect, useState } from 'react';
import { readTabDraft, writeTabDraft } from '../../_keys/tab-draft.ts';
import { type CertificationDraft, EMPTY_CERTIFICATION } from './certification-draft.ts';

const NAME = 'certification';

/** Prepares the form with a draft. */
export const keepCertification = (draft: CertificationDraft): void => writeTabDraft(NAME, draft);

type Kept = readonly [draft: CertificationDraft, change: (changes: Partial<CertificationDraft>) => void];

/** The form, kept in this tab: a reload finds it again; leaving it, or sending it, forgets it. */
export function useKeptCertification(): Kept {
  const [draft, setDraft] = useState(EMPTY_CERTIFICATION);

  useLayoutEffect(() => {
    const stored = readTabDraft<CertificationDraft>(NAME);
    if (stored) setDraft({ ...EMPTY_CERTIFICATION, ...stored });
    return () => writeTabDraft(NAME, null);
  }, []);

  useEffect(() => {
    if (draft !== EMPTY_CERTIFICATION) writeTabDraft(NAME, draft);
  }, [draft]);

  return [draft, (changes) => setDraft((before) => ({ ...before, ...changes }))];
}
