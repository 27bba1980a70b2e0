'use client';

import type { ReactNode } from 'react';
import { CertificationLegend } from './certification-mark.tsx';
import { Field } from './field.tsx';

type InstitutionSearchProps<Found> = {
  label: string;
  hint: string;
  error?: string | undefined;
  typed: string;
  onType: (typed: string) => void;
  found: readonly Found[];
  /** What was found, in words. */
  status: ReactNode;
  /** Shows one of them, to be chosen. */
  children: (institution: Found) => ReactNode;
};

/** A field for words of a name, or for a whole domain or id, and the institutions that were found. */
export function InstitutionSearch<Found extends { readonly ieo_id: string }>({
  found,
  status,
  children,
  typed,
  ...field
}: InstitutionSearchProps<Found>) {
  return (
    <>
      <Field
        {...field}
        name="typed"
        type="search"
        value={typed}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={200}
      />
      <p role="status" className="text-sm text-muted empty:hidden">
        {status}
      </p>
      {found.length > 0 && (
        <>
          <ul className="space-y-3">
            {found.map((institution) => (
              <li key={institution.ieo_id}>{children(institution)}</li>
            ))}
          </ul>
          <CertificationLegend />
        </>
      )}
    </>
  );
}
