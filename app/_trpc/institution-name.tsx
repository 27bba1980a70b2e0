'use client';

import { useQuery } from '@tanstack/react-query';
import { CertificationMark, type MarkProps } from '../_ui/certification-mark.tsx';
import { useTRPC } from './query-provider.tsx';

type InstitutionNameProps = MarkProps & {
  id: string;
  domain: string | null;
  /** Without the mark. */
  isInSentence?: boolean;
};

/** The name and the certification mark of an institution; its domain until they are read, and where it has no name. */
export function InstitutionName({ id, domain, isInSentence = false, ...mark }: InstitutionNameProps) {
  const trpc = useTRPC();
  const { data } = useQuery(
    trpc.institution.queryOptions({ reference: id }, { staleTime: Number.POSITIVE_INFINITY, retry: false }),
  );
  return (
    <>
      {data?.display_name ?? domain ?? id}
      {data && !isInSentence && (
        <>
          {' '}
          <CertificationMark institution={data} {...mark} />
        </>
      )}
    </>
  );
}
