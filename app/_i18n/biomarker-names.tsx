'use client';

import { createContext, type ReactNode, use, useCallback } from 'react';
import type { BiomarkerNames } from '../../messages/messages.ts';
import { biomarkerName } from '../../protocol/records/taxonomy.ts';

const Names = createContext<BiomarkerNames>({});

/** Provides the names of biomarkers in the language of the page. */
export function BiomarkerNamesProvider({ names, children }: { names: BiomarkerNames; children: ReactNode }) {
  return <Names value={names}>{children}</Names>;
}

/** The name of a biomarker in the language of the page, or the taxonomy's where there is none. */
export function useBiomarkerName(): (code: string) => string {
  const names = use(Names);
  return useCallback((code) => biomarkerNameIn(names, code), [names]);
}

/** Files of others have any text for a code, also one such as `constructor`. */
export const biomarkerNameIn = (names: BiomarkerNames, code: string): string =>
  (Object.hasOwn(names, code) ? names[code] : undefined) ?? biomarkerName(code);
