import { useQuery, useQueryClient } from '@tanstack/react-query';
import { keepLocalReference, type LocalReferences, localReferences } from '../../_keys/local-references.ts';

const NONE: LocalReferences = new Map();

/** The local references of an institution, and a way to change one, which is false where this browser refuses to store. */
export function useReferences(ieoId: string) {
  const queries = useQueryClient();
  const queryKey = ['localReferences', ieoId];
  const { data } = useQuery({ queryKey, queryFn: () => localReferences(ieoId) });
  const keep = async (beoId: string, reference: string): Promise<boolean> => {
    const isKept = await keepLocalReference(ieoId, beoId, reference).then(
      () => true,
      () => false,
    );
    await queries.invalidateQueries({ queryKey });
    return isKept;
  };
  return { references: data ?? NONE, keep };
}
