import { useQuery } from '@tanstack/react-query';
import { normalizeReference } from '../_ui/reference.ts';
import { useTRPC } from './query-provider.tsx';
import { useSettled } from './use-settled.ts';

const MAX_TYPED = 200;

/**
 * Finds institutions by the beginnings of words of their name or domain, and one in any status by its whole domain or id.
 * @param suffix is added to a domain without one; null to look up only domains that are typed whole
 */
export function useFoundInstitutions(typed: string, suffix: string | null) {
  const trpc = useTRPC();
  const text = useSettled(typed.trim().slice(0, MAX_TYPED));
  const isReference = /^[\w.-]+$/.test(text) && (suffix !== null || text.includes('.'));
  const reference = isReference ? normalizeReference(text, suffix ?? '') : '';
  const byWords = useQuery(
    trpc.findInstitutions.queryOptions(
      { typed: text },
      { enabled: text !== '', placeholderData: (before) => (text === '' ? undefined : before) },
    ),
  );
  const looked = useQuery(trpc.lookUp.queryOptions({ reference }, { enabled: isReference }));
  const isThere = isReference && looked.data?.outcome === 'institution';
  const whole = useQuery(trpc.institution.queryOptions({ reference }, { enabled: isThere }));
  const first = isThere && whole.data ? [whole.data] : [];
  return {
    found: [...first, ...(byWords.data ?? []).filter(({ ieo_id }) => ieo_id !== first[0]?.ieo_id)],
    isPerson: isReference && looked.data?.outcome === 'found',
    isSearching: text !== typed.trim() || byWords.isFetching || looked.isFetching || whole.isFetching,
    error: byWords.error,
  };
}
