import { useQuery, useQueryClient } from '@tanstack/react-query';
import { keepLocalCodes, type LocalCodes, localCodes } from '../../../_keys/local-codes.ts';
import { untilRead } from '../../../_keys/read.ts';

/** The institution's table of codes, undefined until it is read, and a way to add to it, which is false where the storage refuses. */
export function useLocalCodes(ieoId: string) {
  const queries = useQueryClient();
  const queryKey = ['localCodes', ieoId];
  const { data } = useQuery<LocalCodes>({
    queryKey,
    queryFn: ({ signal }) => untilRead(() => localCodes(ieoId), signal),
  });
  const keep = async (changes: ReadonlyMap<string, string>): Promise<boolean> => {
    const isKept = await keepLocalCodes(ieoId, changes, new Date()).then(
      () => true,
      () => false,
    );
    if (isKept) await queries.invalidateQueries({ queryKey });
    return isKept;
  };
  return { table: data, keep };
}
