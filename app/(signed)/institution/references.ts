import { useQuery, useQueryClient } from '@tanstack/react-query';
import { keepLocalReference, type LocalReferences, localReferences } from '../../_keys/local-references.ts';
import { untilRead } from '../../_keys/read.ts';

const NONE: LocalReferences = new Map();

/** The local references of an institution, empty until they are read, and a way to change one, which is false where the storage refuses. */
export function useReferences(ieoId: string) {
  const queries = useQueryClient();
  const queryKey = ['localReferences', ieoId];
  const { data } = useQuery({ queryKey, queryFn: ({ signal }) => untilRead(() => localReferences(ieoId), signal) });
  const keep = async (beoId: string, reference: string): Promise<boolean> => {
    const isKept = await keepLocalReference(ieoId, beoId, reference).then(
      () => true,
      () => false,
    );
    if (isKept) await queries.invalidateQueries({ queryKey });
    return isKept;
  };
  return { references: data ?? NONE, isRead: data !== undefined, keep };
}
